// The cards of the data sets: examples, splits, the filter's before and after, the audit's ladder.

function dataCard(card) {
  const parts = [];
  const meaning = (name) => list(card.meanings)[list(card.classes).indexOf(name)];
  if (list(card.examples).length) {
    parts.push(
      element(
        "div",
        { class: "examples" },
        card.examples.map((example) =>
          element(
            "figure",
            {},
            drawing(example.svg, `A graph of class ${example.class}`),
            element(
              "figcaption",
              {},
              `class ${example.class}`,
              meaning(example.class) ? `: ${meaning(example.class)}` : "",
            ),
          ),
        ),
      ),
    );
    const legend = labelLegend(card);
    if (legend) parts.push(legend);
  }
  if (list(card.splits).length) {
    parts.push(
      scroller(
        `Splits of ${card.name}`,
        element(
          "table",
          { class: "splits" },
          element(
            "thead",
            {},
            element(
              "tr",
              {},
              element("th", { scope: "col", class: "text" }, "split"),
              ["graphs", "nodes", "edges", ...list(card.classes).map((c) => `class ${c}`)].map((name) =>
                element("th", { scope: "col", class: "figure" }, name),
              ),
            ),
          ),
          element(
            "tbody",
            {},
            card.splits.map((split) =>
              element(
                "tr",
                {},
                element("th", { scope: "row" }, split.name),
                [
                  grouped(split.graphs),
                  fixed(split.mean_nodes),
                  fixed(split.mean_edges),
                  ...list(split.class_counts).map(grouped),
                ].map((text) => element("td", { class: "figure" }, text)),
              ),
            ),
          ),
        ),
      ),
    );
  }
  if (card.filter) parts.push(filterFigure(card.filter));
  if (list(card.audit?.probes).length) parts.push(auditFigure(card));
  const recipe = Object.entries(card.recipe ?? {});
  if (recipe.length || card.checksum) {
    parts.push(
      element(
        "details",
        {},
        element("summary", {}, "Recipe and checksum"),
        element(
          "dl",
          {},
          recipe.map(([key, value]) => [element("dt", {}, key), element("dd", {}, plain(value))]),
          card.checksum ? [element("dt", {}, "sha256"), element("dd", { class: "code" }, card.checksum)] : [],
        ),
      ),
    );
  }
  return element("article", { class: "card" }, element("h3", {}, card.name), parts);
}

function filterFigure(filter) {
  const figure = element("figure", {}, element("h4", {}, "The undermanned filter"));
  const names = [
    ["accuracy", "accuracy"],
    ["coverage", "sure of itself"],
    ["confident_accuracy", "right when sure"],
  ];
  const rows = names
    .filter(([key]) => isNumber(filter.before?.[key]) && isNumber(filter.after?.[key]))
    .map(([key, name]) => ({
      name,
      value: 100 * filter.after[key],
      other: 100 * filter.before[key],
      text: `${fixed(100 * filter.after[key])}`,
      lines: [name, `before ${percent(filter.before[key])}`, `after ${percent(filter.after[key])}`],
    }));
  if (rows.length) {
    panelGrid(figure, 260, 1, (width) => [
      dotRows({
        width,
        rows,
        domain: [0, 100],
        reference: 50,
        label:
          "What a classifier that sees degrees only reaches: " +
          rows.map((row) => row.lines.join(", ")).join("; "),
      }),
    ]);
  }
  const hits = list(filter.hit_histogram),
    kept = list(filter.kept_histogram);
  const total = (counts) => counts.reduce((sum, v) => sum + v, 0);
  figure.append(
    element(
      "figcaption",
      {},
      element("span", { class: "key-other" }),
      " before ",
      element("span", { class: "key-dot" }),
      ` after: what a classifier that sees only degrees and sizes reaches, in per cent${isNumber(filter.candidates) ? `; ${grouped(total(kept) || 0)} of ${grouped(filter.candidates)} candidates kept` : ""}.`,
      hits.length && kept.length
        ? ` It had never been right and sure about ${percent(hits[0] / total(hits), 0)} of the candidates, and about ${percent(kept[0] / total(kept), 0)} of those kept.`
        : "",
    ),
  );
  return figure;
}

function auditFigure(card) {
  const counts = list(card.splits).reduce(
    (sums, split) => list(split.class_counts).map((v, i) => v + (sums[i] ?? 0)),
    [],
  );
  const majority = counts.length ? (100 * Math.max(...counts)) / counts.reduce((sum, v) => sum + v, 0) : null;
  const rows = card.audit.probes.map((probe) => ({
    name: probe.name,
    value: 100 * probe.accuracy,
    low: 100 * probe.low,
    high: 100 * probe.high,
    text: fixed(100 * probe.accuracy),
    lines: [
      probe.name,
      `${percent(probe.accuracy)}, 95 % interval ${fixed(100 * probe.low)} to ${fixed(100 * probe.high)}`,
      `macro-F1 ${percent(probe.macro_f1)}`,
      `${grouped(probe.features)} features`,
    ],
  }));
  const low = Math.max(
    0,
    Math.floor(Math.min(majority ?? 100, ...rows.map((row) => row.low ?? row.value)) / 10 - 0.3) * 10,
  );
  const figure = element("figure", {}, element("h4", {}, "The audit's ladder"));
  panelGrid(figure, 260, 1, (width) => [
    dotRows({
      width,
      rows,
      domain: [low, 100],
      reference: majority,
      label: "Accuracy of the probes: " + rows.map((row) => `${row.name} ${row.text}`).join(", "),
    }),
  ]);
  figure.append(
    element(
      "figcaption",
      {},
      "Accuracy in per cent of linear models that see only what their name says",
      isNumber(majority) ? "; dashed: the majority class." : ".",
    ),
    ...list(card.audit.verdicts).map((verdict) => element("p", { class: "verdict" }, unbroken(verdict))),
  );
  return figure;
}
