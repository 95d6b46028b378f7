PRAGMA application_id = 1114795364;
PRAGMA user_version = 3;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE data_sets (
  id INTEGER PRIMARY KEY,
  checksum TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  path TEXT NOT NULL,
  classes TEXT NOT NULL,     -- JSON: names
  meanings TEXT NOT NULL,    -- JSON: in words
  splits TEXT NOT NULL,      -- JSON: counts and means
  provenance TEXT NOT NULL,  -- JSON: how it was made
  audit TEXT                 -- JSON
);
INSERT INTO data_sets VALUES(1,'6f81d6018b070f5dabd27eed5e27b1f49685e79b6619aeee0e2ae17e0fe088a7','tri','old.work/data/triangles-c5696936b8e6','["0","1"]','["no triangle","exactly one triangle"]','[{"name":"train","graphs":100,"class_counts":[50,50],"mean_nodes":12.79,"mean_edges":17.72},{"name":"valid","graphs":20,"class_counts":[10,10],"mean_nodes":13.5,"mean_edges":19.25},{"name":"test","graphs":12,"class_counts":[6,6],"mean_nodes":13.666666666666666,"mean_edges":19.916666666666668}]','{"task":"triangles","class_meanings":["no triangle","exactly one triangle"],"parameters":{"min_nodes":6,"max_nodes":20,"families":["random"],"min_k":3,"max_k":6,"radii":[0.15,0.2,0.25,0.3],"min_partners":1,"max_partners":3},"seed":1,"candidates":600,"filter":{"train":100,"valid":20,"test":12,"folds":10,"train_folds":6,"confidence":0.4,"easy_share":0.1,"cost":1.0,"allow_isomorphs":false,"seed":1,"candidates":600,"before":{"accuracy":0.564583,"coverage":0.627917,"confident_accuracy":0.600531,"confident_accuracy_class_0":0.60281,"confident_accuracy_class_1":0.598066},"after":{"accuracy":0.503788,"coverage":0.573864,"confident_accuracy":0.481848,"confident_accuracy_class_0":0.496552,"confident_accuracy_class_1":0.468354},"after_train_to_test":0.416667,"hit_histogram":[264,78,66,73,119],"kept_histogram":[118,8,2,2,2],"refills":[],"isomorphs_across":0,"isomorphs_avoided":0}}','{"name":"triangles","graphs":132,"classes":["0","1"],"class_counts":[66,66],"majority":0.5,"folds":10,"seed":1,"node_order":"unknown","probes":[{"name":"size","kind":"counts","description":"the number of nodes and of edges","features":43,"accuracy":0.439394,"interval":[0.357628,0.524587],"macro_f1":0.434722,"effect":"none","behind_best":{"difference":0.560606,"interval":[0.475938,0.645274]},"beats_majority":false,"below_majority":false},{"name":"degrees","kind":"counts","description":"size, and how many nodes have each degree","features":85,"accuracy":0.44697,"interval":[0.364848,0.53209],"macro_f1":0.441553,"effect":"none","behind_best":{"difference":0.55303,"interval":[0.468215,0.637846]},"beats_majority":false,"below_majority":false},{"name":"degree-pairs","kind":"counts","description":"degrees, and how many edges join each pair of degrees","features":190,"accuracy":0.44697,"interval":[0.364848,0.53209],"macro_f1":0.441553,"effect":"none","behind_best":{"difference":0.55303,"interval":[0.468215,0.637846]},"beats_majority":false,"below_majority":false},{"name":"wl-1","kind":"structure","description":"how many nodes have each surrounding up to 1 step deep (WL colours)","features":58,"accuracy":0.439394,"interval":[0.357628,0.524587],"macro_f1":0.439394,"effect":"none","behind_best":{"difference":0.560606,"interval":[0.475938,0.645274]},"beats_majority":false,"below_majority":false},{"name":"wl-2","kind":"structure","description":"how many nodes have each surrounding up to 2 steps deep (WL colours)","features":285,"accuracy":0.477273,"interval":[0.393918,0.561913],"macro_f1":0.477003,"effect":"none","behind_best":{"difference":0.522727,"interval":[0.437519,0.607936]},"beats_majority":false,"below_majority":false},{"name":"wl-3","kind":"structure","description":"how many nodes have each surrounding up to 3 steps deep (WL colours)","features":447,"accuracy":0.55303,"interval":[0.46791,0.635152],"macro_f1":0.552799,"effect":"none","behind_best":{"difference":0.44697,"interval":[0.362154,0.531785]},"beats_majority":false,"below_majority":false},{"name":"graphlets-3","kind":"structure","description":"how often each connected subgraph of up to 3 nodes occurs","features":73,"accuracy":1.0,"interval":[0.971721,1.0],"macro_f1":1.0,"effect":"strong","behind_best":{"difference":0.0,"interval":[0.0,0.0]},"beats_majority":true,"below_majority":false},{"name":"graphlets-4","kind":"structure","description":"how often each connected subgraph of up to 4 nodes occurs","features":163,"accuracy":1.0,"interval":[0.971721,1.0],"macro_f1":1.0,"effect":"strong","behind_best":{"difference":0.0,"interval":[0.0,0.0]},"beats_majority":true,"below_majority":false},{"name":"graphlets-5","kind":"structure","description":"how often each connected subgraph of up to 5 nodes occurs","features":345,"accuracy":1.0,"interval":[0.971721,1.0],"macro_f1":1.0,"effect":"strong","behind_best":{"difference":0.0,"interval":[0.0,0.0]},"beats_majority":true,"below_majority":false},{"name":"node-index","kind":"order","description":"degree pairs; degrees and edges by place in the file; distances among the first and among the last 8 nodes","features":786,"accuracy":0.424242,"interval":[0.343246,0.509523],"macro_f1":0.42212,"effect":"none","behind_best":null,"beats_majority":false,"below_majority":false}],"best":"graphlets-3","weakest_as_good":"graphlets-3","node_index":{"accuracy":0.424242,"shuffled_accuracy":0.462121,"difference":-0.037879,"interval":[-0.117577,0.04182],"effect":"none","leaks":false},"wl":{"stable":false,"rounds":[{"round":0,"histograms":15,"conflicting":129,"best_accuracy":0.636364},{"round":1,"histograms":121,"conflicting":13,"best_accuracy":0.962121},{"round":2,"histograms":131,"conflicting":0,"best_accuracy":1.0},{"round":3,"histograms":131,"conflicting":0,"best_accuracy":1.0}]},"isomorphs":{"classes":131,"groups":1,"duplicates_within":1,"duplicates_across":0,"twins_across_folds":null,"conflicting_labels":0,"ceiling":1.0},"notes":[],"summary":"The probe graphlets-3 solves it (100.0 %; majority class 50.0 %), while every probe below it stays at 55.3 % or less: a model must see connected subgraphs of up to 3 nodes, and one that does has nothing left to beat. After 2 rounds WL colours tell all non-isomorphic graphs of this sample apart, so it cannot show whether they, and with them message passing, suffice in general. Node order: no effect found (42.4 % in the order of the file, 46.2 % with shuffled nodes: -3.8 points, -11.8 to +4.2)."}');
CREATE TABLE graphs (        -- those that some fold tests on
  data INTEGER NOT NULL REFERENCES data_sets(id),
  place INTEGER NOT NULL,
  id TEXT NOT NULL,
  class INTEGER NOT NULL,
  nodes INTEGER NOT NULL,
  edges INTEGER NOT NULL,
  graph6 TEXT NOT NULL,
  witness TEXT,              -- JSON: nodes, edges
  node_labels TEXT,          -- JSON
  PRIMARY KEY (data, place)
) WITHOUT ROWID;
INSERT INTO graphs VALUES(1,0,'TR0000126',0,15,19,'N?AxQ?A@GC_G@Aw?A??',NULL,NULL);
INSERT INTO graphs VALUES(1,1,'TR0000512',1,17,30,'PHCC_??O_GP_QY`GCEPO?CLC','{"nodes":[8,12,14],"edges":[[8,12],[8,14],[12,14]]}',NULL);
INSERT INTO graphs VALUES(1,2,'TR0000494',1,10,12,'IGb?M_O@g','{"nodes":[5,6,9],"edges":[[5,6],[5,9],[6,9]]}',NULL);
INSERT INTO graphs VALUES(1,3,'TR0000153',0,9,12,'HbacaKA',NULL,NULL);
INSERT INTO graphs VALUES(1,4,'TR0000323',1,16,22,'OA[_@?@??W_?_`CSWO`?@','{"nodes":[1,3,4],"edges":[[1,3],[1,4],[3,4]]}',NULL);
INSERT INTO graphs VALUES(1,5,'TR0000364',0,16,23,'O?A?Ig`G?OI??UA`?f?C_',NULL,NULL);
INSERT INTO graphs VALUES(1,6,'TR0000448',0,13,19,'Lk?_gwgg_G?aO_',NULL,NULL);
INSERT INTO graphs VALUES(1,7,'TR0000037',0,18,32,'QOTPG?CACFmCOG?@@_?S?_?sR??',NULL,NULL);
INSERT INTO graphs VALUES(1,8,'TR0000097',0,15,22,'N_?H@QA\A?HCC@a?C?g',NULL,NULL);
INSERT INTO graphs VALUES(1,9,'TR0000156',1,16,23,'O?CJC@?CC?_?QOGDSAODI','{"nodes":[11,13,15],"edges":[[11,13],[11,15],[13,15]]}',NULL);
INSERT INTO graphs VALUES(1,10,'TR0000425',1,9,12,'HR?uWI@','{"nodes":[2,3,5],"edges":[[2,3],[2,5],[3,5]]}',NULL);
INSERT INTO graphs VALUES(1,11,'TR0000492',1,10,13,'I?@QAqko_','{"nodes":[1,6,9],"edges":[[1,6],[1,9],[6,9]]}',NULL);
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,  -- SHA-256 of everything that the result depends on
  method TEXT NOT NULL,
  options TEXT NOT NULL,     -- JSON
  data TEXT NOT NULL,
  data_checksum TEXT NOT NULL,
  fold INTEGER NOT NULL,
  seed INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting',  -- waiting, running, done, failed
  owner TEXT,
  error TEXT,
  epochs INTEGER,
  best_epoch INTEGER,
  validation_accuracy REAL,
  accuracy REAL,
  macro_f1 REAL,
  positive_f1 REAL,
  confusion TEXT,            -- JSON: [true class][predicted class]
  train_graphs INTEGER,
  validation_graphs INTEGER,
  test_graphs INTEGER,
  chosen TEXT,               -- JSON: what the method chose by itself
  seconds REAL,
  cpu_seconds REAL,
  host TEXT,
  program_version TEXT,
  started TEXT,
  finished TEXT,
  last_accuracy REAL,        -- of the last epoch, where another was kept
  last_macro_f1 REAL,
  last_positive_f1 REAL,
  last_confusion TEXT,       -- JSON
  folding TEXT NOT NULL DEFAULT 'usual',  -- usual, grouped, stratified
  asked TEXT                 -- JSON: what its model is asked beside the test graphs
);
INSERT INTO runs VALUES(1,'d91ab65dc31f14e82784a2aec51ce27856d99344a82cd3292e18f92be1ced800','svm-labels','{"costs":[0.001,0.01,0.1,1.0,10.0,100.0,1000.0],"solver":"auto","no_class_weights":false,"refit":false}','tri','6f81d6018b070f5dabd27eed5e27b1f49685e79b6619aeee0e2ae17e0fe088a7',0,1,'done',NULL,NULL,1,1,0.8000000000000000444,0.58333333333333337034,0.55555555555555558022,0.44444444444444441977,'[[5,1],[4,2]]',90,10,12,'{"C":100.0,"features":2}',0.0027387370000000002025,0.00036434400000000081998,'vm','0.1.0','2026-11-19T06:20:47Z','2026-11-19T06:20:47Z',NULL,NULL,NULL,NULL,'usual',NULL);
INSERT INTO runs VALUES(2,'69f5f146c37f6d85b366f87e72f428f30049f0d5d9c3ffca4433b60c2df8f83d','svm-labels','{"costs":[0.001,0.01,0.1,1.0,10.0,100.0,1000.0],"solver":"auto","no_class_weights":false,"refit":false}','tri','6f81d6018b070f5dabd27eed5e27b1f49685e79b6619aeee0e2ae17e0fe088a7',1,1,'done',NULL,NULL,1,1,0.69999999999999995559,0.66666666666666662965,0.65714285714285713968,0.59999999999999997779,'[[5,1],[3,3]]',90,10,12,'{"C":0.001,"features":2}',0.00027790500000000000315,0.00027602200000000076673,'vm','0.1.0','2026-11-19T06:20:47Z','2026-11-19T06:20:47Z',NULL,NULL,NULL,NULL,'usual',NULL);
CREATE TABLE answers (
  run INTEGER NOT NULL REFERENCES runs(id),
  place INTEGER NOT NULL,    -- graphs.place
  said INTEGER NOT NULL,     -- the class it was given
  truth INTEGER NOT NULL,    -- the class it has
  said_last INTEGER,         -- the class it was given at the last epoch, where another was kept
  PRIMARY KEY (run, place)
) WITHOUT ROWID;
INSERT INTO answers VALUES(1,0,1,0,NULL);
INSERT INTO answers VALUES(1,1,0,1,NULL);
INSERT INTO answers VALUES(1,2,1,1,NULL);
INSERT INTO answers VALUES(1,3,0,0,NULL);
INSERT INTO answers VALUES(1,4,0,1,NULL);
INSERT INTO answers VALUES(1,5,0,0,NULL);
INSERT INTO answers VALUES(1,6,0,0,NULL);
INSERT INTO answers VALUES(1,7,0,0,NULL);
INSERT INTO answers VALUES(1,8,0,0,NULL);
INSERT INTO answers VALUES(1,9,0,1,NULL);
INSERT INTO answers VALUES(1,10,0,1,NULL);
INSERT INTO answers VALUES(1,11,1,1,NULL);
INSERT INTO answers VALUES(2,0,0,0,NULL);
INSERT INTO answers VALUES(2,1,0,1,NULL);
INSERT INTO answers VALUES(2,2,1,1,NULL);
INSERT INTO answers VALUES(2,3,1,0,NULL);
INSERT INTO answers VALUES(2,4,0,1,NULL);
INSERT INTO answers VALUES(2,5,0,0,NULL);
INSERT INTO answers VALUES(2,6,0,0,NULL);
INSERT INTO answers VALUES(2,7,0,0,NULL);
INSERT INTO answers VALUES(2,8,0,0,NULL);
INSERT INTO answers VALUES(2,9,0,1,NULL);
INSERT INTO answers VALUES(2,10,1,1,NULL);
INSERT INTO answers VALUES(2,11,1,1,NULL);
CREATE TABLE asked (         -- what a run's model answered beside the test graphs
  run INTEGER NOT NULL REFERENCES runs(id),
  place INTEGER NOT NULL,    -- in runs.asked
  name TEXT NOT NULL,
  graphs INTEGER NOT NULL,   -- answers: of renumbered graphs, those of all rounds
  accuracy REAL NOT NULL,
  macro_f1 REAL NOT NULL,
  positive_f1 REAL NOT NULL,
  confusion TEXT NOT NULL,   -- JSON: [true class][predicted class]
  both_right INTEGER,        -- pairs, of which there are graphs / 2
  changed INTEGER,           -- answers that renumbering changed
  PRIMARY KEY (run, place)
) WITHOUT ROWID;
CREATE TABLE grids (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  metric TEXT NOT NULL,
  paper TEXT NOT NULL,
  published TEXT NOT NULL,   -- JSON: [data][row]
  config TEXT NOT NULL,      -- TOML
  command TEXT NOT NULL
);
INSERT INTO grids VALUES(1,'old','old','accuracy','','{}',replace('folds = "0-1"\n[data.tri]\ntask = "triangles"\ncandidates = 600\nfilter = { train = 100, valid = 20, test = 12 }\n[[run]]\nmethods = ["svm-labels"]\n','\n',char(10)),'bermuda bench old.toml');
CREATE TABLE entries (       -- which run fills which place of a grid's table
  grid INTEGER NOT NULL REFERENCES grids(id),
  row TEXT NOT NULL,
  data TEXT NOT NULL,
  fold INTEGER NOT NULL,
  place INTEGER NOT NULL,    -- order of the configuration
  run INTEGER NOT NULL REFERENCES runs(id),
  seed INTEGER NOT NULL,
  taken_from TEXT,           -- the column whose run it is, where it is another's
  PRIMARY KEY (grid, data, row, fold, seed)
) WITHOUT ROWID;
INSERT INTO entries VALUES(1,'svm-labels','tri',0,0,1,1,NULL);
INSERT INTO entries VALUES(1,'svm-labels','tri',1,0,2,1,NULL);
CREATE TABLE epochs (run INTEGER NOT NULL REFERENCES runs(id), epoch INTEGER NOT NULL, learning_rate REAL, train_loss REAL, train_accuracy REAL, validation_loss REAL, validation_accuracy REAL, seconds REAL, PRIMARY KEY (run, epoch)) WITHOUT ROWID;
CREATE INDEX runs_by_state ON runs(state) WHERE state = 'running';
COMMIT;
