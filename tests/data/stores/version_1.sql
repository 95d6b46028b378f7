PRAGMA application_id = 1114795364;
PRAGMA user_version = 1;
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
INSERT INTO data_sets VALUES(1,'6f81d6018b070f5dabd27eed5e27b1f49685e79b6619aeee0e2ae17e0fe088a7','tri','old.work/data/triangles-c5696936b8e6','["0","1"]','["no triangle","exactly one triangle"]','[{"name":"train","graphs":100,"class_counts":[50,50],"mean_nodes":12.79,"mean_edges":17.72},{"name":"valid","graphs":20,"class_counts":[10,10],"mean_nodes":13.5,"mean_edges":19.25},{"name":"test","graphs":12,"class_counts":[6,6],"mean_nodes":13.666666666666666,"mean_edges":19.916666666666668}]','{"task":"triangles","class_meanings":["no triangle","exactly one triangle"],"parameters":{"min_nodes":6,"max_nodes":20,"families":["random"],"min_k":3,"max_k":6,"radii":[0.15,0.2,0.25,0.3],"min_partners":1,"max_partners":3},"seed":1,"candidates":600,"filter":{"train":100,"valid":20,"test":12,"folds":10,"train_folds":6,"confidence":0.4,"easy_share":0.1,"cost":1.0,"allow_isomorphs":false,"seed":1,"candidates":600,"before":{"accuracy":0.564583,"coverage":0.627917,"confident_accuracy":0.600531,"confident_accuracy_class_0":0.60281,"confident_accuracy_class_1":0.598066},"after":{"accuracy":0.503788,"coverage":0.573864,"confident_accuracy":0.481848,"confident_accuracy_class_0":0.496552,"confident_accuracy_class_1":0.468354},"after_train_to_test":0.416667,"hit_histogram":[264,78,66,73,119],"kept_histogram":[118,8,2,2,2],"refills":[],"isomorphs_across":0,"isomorphs_avoided":0}}',NULL);
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
  finished TEXT
);
INSERT INTO runs VALUES(1,'b669c9f7d8b675cc1cf736c75de2daaddcc2c9c1bd483e4c9aca64b6998d46f6','svm-labels','{"costs":[0.001,0.01,0.1,1.0,10.0,100.0,1000.0],"solver":"auto","class_weights":false,"train_only":false}','tri','6f81d6018b070f5dabd27eed5e27b1f49685e79b6619aeee0e2ae17e0fe088a7',0,7,'done',NULL,NULL,1,1,0.4000000000000000222,0.5,0.4375,0.25,'[[5,1],[5,1]]',90,10,12,'{"C":100.0,"features":2}',0.00042701499999999999006,0.00062579299999999948855,'vm','0.1.0','2026-11-17T06:36:41Z','2026-11-17T06:36:41Z');
INSERT INTO runs VALUES(2,'cbb6eb2273572a7189aafe1ba103cc8e06428081722174b7e91b8fd3c901e26e','svm-labels','{"costs":[0.001,0.01,0.1,1.0,10.0,100.0,1000.0],"solver":"auto","class_weights":false,"train_only":false}','tri','6f81d6018b070f5dabd27eed5e27b1f49685e79b6619aeee0e2ae17e0fe088a7',1,7,'done',NULL,NULL,1,1,0.5,0.66666666666666662965,0.65714285714285713968,0.59999999999999997779,'[[5,1],[3,3]]',90,10,12,'{"C":0.001,"features":2}',0.013437410000000000326,0.0028868779999999989727,'vm','0.1.0','2026-11-17T06:36:41Z','2026-11-17T06:36:41Z');
INSERT INTO runs VALUES(3,'d3d1b8fbddeae5ea06e59b55b27c14cbd1492f90c49f18a597378ed8d4e76881','counting','{"max_epochs":3,"pause":0,"step":1,"enough":100000,"stop_at":0,"die_at":0,"hog":false}','tri','6f81d6018b070f5dabd27eed5e27b1f49685e79b6619aeee0e2ae17e0fe088a7',0,7,'done',NULL,NULL,3,3,0.4696460117874711182,0.5,0.33333333333333331482,0.0,'[[6,0],[6,0]]',90,10,12,'{"sum":13647039555855645674}',0.0041021119999999997723,0.0007535060000000010083,'vm','0.1.0','2026-11-17T06:36:41Z','2026-11-17T06:36:41Z');
INSERT INTO runs VALUES(4,'c75873f082929d16e26acbd56a597ed257ea0f350b89ccce49792667d09735dc','counting','{"max_epochs":3,"pause":0,"step":1,"enough":100000,"stop_at":0,"die_at":0,"hog":false}','tri','6f81d6018b070f5dabd27eed5e27b1f49685e79b6619aeee0e2ae17e0fe088a7',1,7,'done',NULL,NULL,3,3,0.4696460117874711182,0.5,0.33333333333333331482,0.66666666666666662965,'[[0,6],[0,6]]',90,10,12,'{"sum":1996750016738245125}',3.1786999999999999066e-05,3.0014999999994351753e-05,'vm','0.1.0','2026-11-17T06:36:41Z','2026-11-17T06:36:41Z');
CREATE TABLE answers (
  run INTEGER NOT NULL REFERENCES runs(id),
  place INTEGER NOT NULL,    -- graphs.place
  said INTEGER NOT NULL,     -- the class it was given
  truth INTEGER NOT NULL,    -- the class it has
  PRIMARY KEY (run, place)
) WITHOUT ROWID;
INSERT INTO answers VALUES(1,0,1,0);
INSERT INTO answers VALUES(1,1,0,1);
INSERT INTO answers VALUES(1,2,1,1);
INSERT INTO answers VALUES(1,3,0,0);
INSERT INTO answers VALUES(1,4,0,1);
INSERT INTO answers VALUES(1,5,0,0);
INSERT INTO answers VALUES(1,6,0,0);
INSERT INTO answers VALUES(1,7,0,0);
INSERT INTO answers VALUES(1,8,0,0);
INSERT INTO answers VALUES(1,9,0,1);
INSERT INTO answers VALUES(1,10,0,1);
INSERT INTO answers VALUES(1,11,0,1);
INSERT INTO answers VALUES(2,0,0,0);
INSERT INTO answers VALUES(2,1,0,1);
INSERT INTO answers VALUES(2,2,1,1);
INSERT INTO answers VALUES(2,3,1,0);
INSERT INTO answers VALUES(2,4,0,1);
INSERT INTO answers VALUES(2,5,0,0);
INSERT INTO answers VALUES(2,6,0,0);
INSERT INTO answers VALUES(2,7,0,0);
INSERT INTO answers VALUES(2,8,0,0);
INSERT INTO answers VALUES(2,9,0,1);
INSERT INTO answers VALUES(2,10,1,1);
INSERT INTO answers VALUES(2,11,1,1);
INSERT INTO answers VALUES(3,0,0,0);
INSERT INTO answers VALUES(3,1,0,1);
INSERT INTO answers VALUES(3,2,0,1);
INSERT INTO answers VALUES(3,3,0,0);
INSERT INTO answers VALUES(3,4,0,1);
INSERT INTO answers VALUES(3,5,0,0);
INSERT INTO answers VALUES(3,6,0,0);
INSERT INTO answers VALUES(3,7,0,0);
INSERT INTO answers VALUES(3,8,0,0);
INSERT INTO answers VALUES(3,9,0,1);
INSERT INTO answers VALUES(3,10,0,1);
INSERT INTO answers VALUES(3,11,0,1);
INSERT INTO answers VALUES(4,0,1,0);
INSERT INTO answers VALUES(4,1,1,1);
INSERT INTO answers VALUES(4,2,1,1);
INSERT INTO answers VALUES(4,3,1,0);
INSERT INTO answers VALUES(4,4,1,1);
INSERT INTO answers VALUES(4,5,1,0);
INSERT INTO answers VALUES(4,6,1,0);
INSERT INTO answers VALUES(4,7,1,0);
INSERT INTO answers VALUES(4,8,1,0);
INSERT INTO answers VALUES(4,9,1,1);
INSERT INTO answers VALUES(4,10,1,1);
INSERT INTO answers VALUES(4,11,1,1);
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
INSERT INTO grids VALUES(1,'old','Old','accuracy','P','{"tri":{"svm-labels":50.0}}',replace('title = "Old"\nfolds = "0-1"\nseed = 7\n\n[data.tri]\ntask = "triangles"\ncandidates = 600\nfilter = { train = 100, valid = 20, test = 12 }\naudit = false\n\n[[run]]\nmethods = ["svm-labels"]\n\n[[run]]\nmethods = ["counting"]\noptions = { max_epochs = 3 }\n\n[paper]\nsource = "P"\n[paper.tri]\nsvm-labels = 50.0\n','\n',char(10)),'bermuda bench old.toml');
CREATE TABLE entries (       -- which run fills which place of a grid's table
  grid INTEGER NOT NULL REFERENCES grids(id),
  row TEXT NOT NULL,
  data TEXT NOT NULL,
  fold INTEGER NOT NULL,
  place INTEGER NOT NULL,    -- order of the configuration
  run INTEGER NOT NULL REFERENCES runs(id),
  PRIMARY KEY (grid, data, row, fold)
) WITHOUT ROWID;
INSERT INTO entries VALUES(1,'counting','tri',0,1,3);
INSERT INTO entries VALUES(1,'counting','tri',1,1,4);
INSERT INTO entries VALUES(1,'svm-labels','tri',0,0,1);
INSERT INTO entries VALUES(1,'svm-labels','tri',1,0,2);
CREATE TABLE epochs (run INTEGER NOT NULL REFERENCES runs(id), epoch INTEGER NOT NULL, learning_rate REAL, train_loss REAL, train_accuracy REAL, validation_loss REAL, validation_accuracy REAL, seconds REAL, PRIMARY KEY (run, epoch)) WITHOUT ROWID;
INSERT INTO epochs VALUES(3,1,0.010000000000000000208,0.95122942450071401587,0.52438528774964299206,1.0512294245007141046,0.42438528774964301426,0.25);
INSERT INTO epochs VALUES(3,2,0.010000000000000000208,0.90483741803595951758,0.5475812909820202412,1.0048374180359596063,0.44758129098202026341,0.25);
INSERT INTO epochs VALUES(3,3,0.010000000000000000208,0.860707976425057808,0.56964601178747109599,0.96070797642505778579,0.4696460117874711182,0.25);
INSERT INTO epochs VALUES(4,1,0.010000000000000000208,0.95122942450071401587,0.52438528774964299206,1.0512294245007141046,0.42438528774964301426,0.25);
INSERT INTO epochs VALUES(4,2,0.010000000000000000208,0.90483741803595951758,0.5475812909820202412,1.0048374180359596063,0.44758129098202026341,0.25);
INSERT INTO epochs VALUES(4,3,0.010000000000000000208,0.860707976425057808,0.56964601178747109599,0.96070797642505778579,0.4696460117874711182,0.25);
CREATE INDEX runs_by_state ON runs(state) WHERE state = 'running';
COMMIT;
