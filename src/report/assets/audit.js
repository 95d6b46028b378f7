// The page of one audit: the verdict, the ladder, what the best probes go by, and the other findings.

const audit = model.audit;
const KINDS = {
  counts: "sees no topology",
  structure: "sees structure",
  order: "sees the order of the nodes in the file",
};
const EFFECTS = {
  none: "no effect found",
  hint: "a hint of an effect",
  clear: "a clear effect",
  strong: "a strong effect",
  below: "below",
};

function points(difference, interval) {
  return `${signed(100 * difference)} points (${signed(100 * interval[0])} to ${signed(100 * interval[1])})`;
}

// The first sentence stands alone: it is what most readers came for. "4.5 %. Of ..." ends one, "4.5" does not.
function verdict(text) {
  const end = text.search(/\. [A-Z0-9]/);
  const parts = end < 0 ? [text] : [text.slice(0, end + 1), text.slice(end + 2)];
  return parts.map((part) => element("p", { class: "said" }, unbroken(part)));
}

function ladder() {
  const rows = audit.probes.map((probe) => ({
    name: probe.name,
    value: 100 * probe.accuracy,
    low: 100 * probe.interval[0],
    high: 100 * probe.interval[1],
    text: fixed(100 * probe.accuracy),
    lines: [
      probe.name,
      probe.description,
      KINDS[probe.kind] ?? "",
      `${percent(probe.accuracy)}, 95 % interval ${fixed(100 * probe.interval[0])} to ${fixed(100 * probe.interval[1])}`,
      `over the majority class: ${EFFECTS[probe.effect] ?? ""}`,
      probe.behind_best ? `behind the best: ${points(probe.behind_best.difference, probe.behind_best.interval)}` : "",
      `macro-F1 ${percent(probe.macro_f1)}, ${plural(probe.features, "feature")}`,
    ].filter(Boolean),
  }));
  const lowest = Math.min(100 * audit.majority, ...rows.map((row) => row.low));
  const figure = element("figure", { class: "ladder" });
  panelGrid(figure, 260, 1, (width) => [
    dotRows({
      width,
      rows,
      domain: [Math.max(0, Math.floor(lowest / 10 - 0.3) * 10), 100],
      reference: 100 * audit.majority,
      label: "Accuracy of the probes: " + rows.map((row) => `${row.name} ${row.text}`).join(", "),
    }),
  ]);
  figure.append(
    element(
      "figcaption",
      {},
      `Accuracy in per cent, with its 95 % interval, of linear models that see only what their name says ` +
        `(${audit.folds}-fold cross-validation); dashed: the majority class, ${percent(audit.majority)}. `,
      audit.weakest_as_good && audit.weakest_as_good !== audit.best
        ? `The best is ${audit.best}; the weakest that is as good, for all that this sample shows, is ${audit.weakest_as_good}.`
        : "",
    ),
  );
  return figure;
}

function table(label, heads, rows) {
  return scroller(
    label,
    element(
      "table",
      { class: "plain" },
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          heads.map((head, i) => element("th", { scope: "col", class: i ? "figure" : null }, head)),
        ),
      ),
      element(
        "tbody",
        {},
        rows.map(([name, ...cells]) =>
          element(
            "tr",
            {},
            element("th", { scope: "row" }, name),
            cells.map((cell) => element("td", { class: "figure" }, cell)),
          ),
        ),
      ),
    ),
  );
}

function probeTable() {
  return element(
    "details",
    {},
    element("summary", {}, "All figures, and what each probe sees"),
    table(
      "Probes",
      ["probe", "features", "accuracy", "95 % interval", "macro-F1", "over majority"],
      audit.probes.map((probe) => [
        probe.name,
        grouped(probe.features),
        percent(probe.accuracy),
        `${fixed(100 * probe.interval[0])} \u2013 ${fixed(100 * probe.interval[1])}`,
        fixed(100 * probe.macro_f1),
        probe.effect === "none" ? "\u2013" : probe.effect,
      ]),
    ),
    element(
      "dl",
      {},
      audit.probes.map((probe) => [
        element("dt", {}, probe.name),
        element("dd", {}, probe.description, ` (${KINDS[probe.kind] ?? probe.kind})`),
      ]),
    ),
  );
}

// Where there are many classes, those that have it most often.
const MOST_CLASSES = 6;
function shares(feature) {
  const all = audit.classes.map((name, i) => ({
    name,
    share: audit.class_counts[i] ? feature.graphs[i] / audit.class_counts[i] : 0,
    mean: feature.mean[i],
  }));
  if (all.length > MOST_CLASSES) all.sort((a, b) => b.mean - a.mean);
  const most = Math.max(...all.map(({ mean }) => mean));
  return element(
    "div",
    { class: "shares" },
    all.slice(0, MOST_CLASSES).map(({ name, share, mean }) => [
      element("span", { class: "name", title: name }, name),
      element("span", { class: "bar" }, element("i", { style: `--share: ${(most > 0 ? Math.max(0, mean / most) : 0).toFixed(3)}` })),
      element("span", { class: "count" }, `${Number(mean.toPrecision(3))} \u00b7 ${percent(share, 0)}`),
    ]),
  );
}

function telling(probe) {
  const figures = audit.probes.find((one) => one.name === probe.probe);
  return element(
    "div",
    { class: "block" },
    element("h3", {}, probe.probe, figures ? ` (${percent(figures.accuracy)})` : ""),
    element(
      "ol",
      { class: "features" },
      probe.features.map((feature) =>
        element(
          "li",
          { class: "feature" },
          feature.svg
            ? drawing(feature.svg, feature.words)
            : element("span", { class: "nothing", "aria-hidden": "true" }, feature.words),
          element("strong", {}, feature.words),
          element("span", { class: "facts" }, `more of it speaks ${feature.speaks}`),
          shares(feature),
        ),
      ),
    ),
  );
}

const { node_index: order, isomorphs } = audit;
document.title = `Audit of ${audit.name}`;
content.append(
  element(
    "header",
    {},
    element(
      "div",
      { class: "running" },
      element("span", {}, ["Bermuda", model.program_version].filter(Boolean).join(" "), " audit"),
      themeButton,
    ),
    element("h1", {}, audit.name),
    element(
      "p",
      { class: "lead" },
      `${plural(audit.graphs, "graph")}, ${plural(audit.classes.length, "class", "classes")} ` +
        `(${audit.classes
          .slice(0, 12)
          .map((name, i) => `${name}: ${grouped(audit.class_counts[i])}`)
          .join(", ")}${audit.classes.length > 12 ? ", ..." : ""}).`,
    ),
  ),
);
section("verdict", "Is it about topology?", null, verdict(audit.summary));
section("ladder", "The ladder of probes", null, ladder(), probeTable());
section(
  "telling",
  "What the best probes go by",
  "The features that move the score of a linear model on all graphs most. Beside each class: how often the feature " +
    "occurs in a graph of it on average (or, of attributes, its mean value), and in how many of its graphs.",
  list(audit.telling)
    .filter((probe) => probe.features.length > 0)
    .map(telling),
);
section(
  "wl",
  "Is the class a function of the WL colours?",
  "No function of the colours, and so no message passing without node ids, can be more accurate on this sample " +
    "than the last column says.",
  table(
    "WL colours",
    ["told apart by", "kinds", "conflicting graphs", "best possible accuracy"],
    [
      ...audit.wl.rounds.map((round) => [
        `WL, round ${round.round}`,
        grouped(round.histograms),
        grouped(round.conflicting),
        percent(round.best_accuracy),
      ]),
      ["isomorphism", grouped(isomorphs.classes), grouped(isomorphs.conflicting_labels), percent(isomorphs.ceiling)],
    ],
  ),
);
section(
  "order",
  "Does the order of the nodes tell?",
  null,
  element(
    "p",
    { class: "verdict" },
    unbroken(
      `The probe that sees where in the file a node stands gets ${percent(order.accuracy)}, and ` +
        `${percent(order.shuffled_accuracy)} after the nodes of every graph were shuffled: ` +
        `${points(order.difference, order.interval)}, ${EFFECTS[order.effect]}.`,
    ),
  ),
);
section(
  "isomorphs",
  "Isomorphic graphs",
  null,
  table(
    "Isomorphic graphs",
    ["", "graphs"],
    [
      ["repeats inside a split", grouped(isomorphs.duplicates_within)],
      ["repeats across splits", grouped(isomorphs.duplicates_across)],
      ["with a twin of another class", grouped(isomorphs.conflicting_labels)],
      isNumber(isomorphs.twins_across_folds)
        ? ["with a twin in another of the ten folds of train", grouped(isomorphs.twins_across_folds)]
        : null,
    ].filter(Boolean),
  ),
  list(audit.notes).map((note) => element("p", { class: "notes" }, `Note: ${note}`)),
);
endPage();
