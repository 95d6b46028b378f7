// Puts the page together: each part of the model that is there becomes a section.

// What was found comes first, then what it is made of.
const findings = (lines) =>
  lines.length === 0
    ? null
    : element(
        "div",
        { class: "findings" },
        lines.map((line) => element("p", {}, unbroken(line))),
      );

function lead(all) {
  const runs = all.filter((run) => !run.taken_from); // others are shown twice, not run twice
  const done = runs.filter((run) => !run.error);
  if (runs.length === 0) return null;
  const seconds = runs.reduce((sum, run) => sum + (run.cpu_seconds || run.seconds || 0), 0);
  const failed = runs.length - done.length;
  return element(
    "p",
    { class: "lead" },
    `${plural(runs.length, "run")} of ${plural(unique(runs.map((r) => r.method)).length, "method")} on ` +
      `${plural(unique(runs.map((r) => r.data)).length, "data set")}, ${duration(seconds)} of one core.`,
    failed ? element("strong", { class: "failure" }, ` ${plural(failed, "run")} failed.`) : "",
  );
}

function copyable(text, name) {
  const box = element("pre", { tabindex: "0", "aria-label": name }, element("code", {}, text));
  const button = element(
    "button",
    {
      type: "button",
      class: "copy",
      onclick: async () => {
        try {
          await navigator.clipboard.writeText(text);
          button.textContent = "Copied";
        } catch {
          getSelection().selectAllChildren(box);
          button.textContent = "Selected";
        }
        setTimeout(() => {
          button.textContent = "Copy";
        }, 1500);
      },
    },
    "Copy",
  );
  return element("div", { class: "copyable" }, box, button);
}

function settingsPart(settings) {
  const { command, config, ...rest } = settings;
  const facts = Object.entries(rest).filter(([, value]) => value !== null && value !== "");
  return [
    command ? copyable(command, "Command") : null,
    config
      ? element(
          "details",
          {},
          element("summary", {}, "The whole configuration"),
          copyable(config, "Configuration"),
        )
      : null,
    facts.length
      ? element(
          "dl",
          {},
          facts.map(([key, value]) => [
            element("dt", {}, key.replaceAll("_", " ")),
            element("dd", {}, plain(value)),
          ]),
        )
      : null,
  ];
}

function failures(runs) {
  const failed = runs.filter((run) => run.error);
  return failed.length === 0
    ? null
    : element(
        "ul",
        { class: "failures" },
        failed.map((run) =>
          element(
            "li",
            {},
            element("strong", {}, `${run.method} on ${run.data}, fold ${run.fold}, seed ${run.seed}`),
            `: ${run.error}`,
          ),
        ),
      );
}

const runs = list(model.runs),
  cards = list(model.data);
const tables = list(model.tables).filter((table) => list(table.rows).length > 0);
const comparisons = list(model.comparisons).filter((one) => list(one.methods).length > 1);
METHOD_ORDER.push(
  ...unique([
    ...tables.flatMap((table) => table.rows.map((row) => row.method)),
    ...runs.map((run) => run.method),
  ]),
);
document.title = model.title ?? "Bermuda report";
content.append(
  element(
    "header",
    {},
    element(
      "div",
      { class: "running" },
      element(
        "span",
        {},
        ["Bermuda", model.program_version].filter(Boolean).join(" "),
        model.made ? ` \u00b7 ${model.made}` : "",
        model.store ? ` \u00b7 ${model.store}` : "",
      ),
      themeButton,
    ),
    element("h1", {}, model.title ?? "Bermuda report"),
    findings(list(model.findings)),
    lead(runs),
  ),
);

section(
  "results",
  "Results",
  null,
  tables.map((table) => resultTable(table, model.epoch ?? "kept")),
);
section(
  "comparisons",
  "Are the differences real?",
  "Each cell asks whether two methods could be equally good; shaded where that is unlikely (p below .05 after Holm's correction for asking often)." +
    (tables.some((table) => table.last)
      ? ` Of the ${model.epoch === "last" ? "last epochs" : "epochs that validation kept"}.`
      : ""),
  comparisons.length ? element("div", { class: "comparisons" }, comparisons.map(comparisonTable)) : null,
);
section("curves", "Learning curves", null, learningCurves(runs));
section("errors", "What they confuse", null, confusions(runs, cards));
section("breakdown", "Which graphs are hard", null, breakdownFigures(list(model.breakdowns)));
section("gallery", "Graphs they get wrong", null, gallerySection(list(model.gallery), cards));
section(
  "data",
  "Data sets",
  null,
  cards.length ? element("div", { class: "cards" }, cards.map(dataCard)) : null,
);
section(
  "repeat",
  "To repeat it",
  null,
  settingsPart(model.settings ?? {}),
  failures(runs),
  runs.length
    ? element("details", {}, element("summary", {}, `All ${plural(runs.length, "run")}`), runsTable(runs))
    : null,
);
endPage();
