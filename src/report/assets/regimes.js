// The page of regime maps: a heat map per model, side by side where there is room, and their figures.

const models = list(model.models);
const first = models[0] ?? {};

function figures() {
  const rows = [
    ["inside the range of training", (one) => percent(one.accuracy_inside)],
    ["outside", (one) => percent(one.accuracy_outside)],
    ["answers that change when nodes are renumbered", (one) => percent(one.relabelling_sensitivity)],
    [
      `both twins right (they agree in ${first.twins?.same ?? ""}; chance 25\u00a0%)`,
      (one) => (one.twins ? percent(one.twins.share) : ""),
    ],
  ].filter(([, figure]) => models.some((one) => figure(one)));
  return scroller(
    "Figures of the models",
    element(
      "table",
      { class: "plain" },
      element(
        "thead",
        {},
        element("tr", {}, element("th", { scope: "col" }, "mean accuracy of fields"), models.map((one) => element("th", { scope: "col", class: "figure" }, one.name))),
      ),
      element(
        "tbody",
        {},
        rows.map(([name, figure]) =>
          element(
            "tr",
            {},
            element("th", { scope: "row" }, name),
            models.map((one) => element("td", { class: "figure" }, figure(one) || "\u2013")),
          ),
        ),
      ),
    ),
  );
}

function reasons() {
  const empty = list(first.cells).filter((cell) => cell.empty_because);
  if (empty.length === 0) return null;
  return element(
    "details",
    {},
    element("summary", {}, `${plural(empty.length, "field")} without graphs`),
    element(
      "dl",
      {},
      empty.map((cell) => [
        element(
          "dt",
          {},
          [
            isNumber(cell.nodes) ? `${cell.nodes} nodes` : "",
            list(cell.degree).length ? `degree ${cell.degree.join(" to ")}` : "",
            isNumber(cell.distance) ? `distance ${cell.distance}` : "",
          ]
            .filter(Boolean)
            .join(", "),
        ),
        element("dd", {}, cell.empty_because),
      ]),
    ),
  );
}

const counts = list(first.cells)
  .map((cell) => cell.graphs)
  .filter((count) => count > 0);
document.title = `Where it breaks: ${first.task ?? ""}`;
content.append(
  element(
    "header",
    {},
    element(
      "div",
      { class: "running" },
      element("span", {}, ["Bermuda", model.program_version].filter(Boolean).join(" "), " regimes"),
      themeButton,
    ),
    element("h1", {}, `Where it breaks: ${first.task ?? ""}`),
    element(
      "p",
      { class: "lead" },
      `${plural(models.length, "model")}, ${plural(list(first.cells).length, "field")}` +
        (counts.length ? `, up to ${grouped(Math.max(...counts))} fresh graphs in each.` : "."),
    ),
  ),
);
section(
  "maps",
  "Accuracy by regime",
  "Each field is asked about graphs that were made for it; point at one for its figures. A frame holds what the model was shown in training.",
  element(
    "div",
    { class: "heat-maps" },
    models.flatMap((one) =>
      list(one.pictures).map((picture) =>
        element(
          "figure",
          { class: "heat" },
          heatMap(picture, `Accuracy of ${one.name} by regime`),
          one.trained_text ? element("figcaption", {}, `Trained on ${one.trained_text}.`) : null,
        ),
      ),
    ),
  ),
  reasons(),
);
section("figures", "In figures", null, figures());
endPage();
