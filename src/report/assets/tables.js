// Tables: results beside the paper's, p-values, all runs. Every one that has many rows can be sorted.

// Makes a table whose columns sort. columns: { name, group, key(row), cell(row) -> td, text }. The
// first click on figures sorts downwards, on text upwards; what is missing stays at the end.
function sortableTable(caption, columns, rows, { groups = null, ordered = null, kind = "" } = {}) {
  const body = element("tbody");
  const lines = rows.map((row, index) => ({
    row,
    index,
    line: element(
      "tr",
      {},
      columns.map((column) => column.cell(row)),
    ),
  }));
  const heads = columns.map((column) =>
    element(
      "th",
      { scope: "col", "aria-sort": "none", class: column.text ? "text" : "figure" },
      element("button", { type: "button", onclick: () => sort(column) }, column.name),
    ),
  );
  const compare = (a, b) => (typeof a === "string" ? a.localeCompare(b, "en", { numeric: true }) : a - b);
  function sort(column) {
    const head = heads[columns.indexOf(column)];
    const first = column.text ? "ascending" : "descending";
    const second = column.text ? "descending" : "ascending";
    const direction = head.getAttribute("aria-sort") === first ? second : first;
    for (const other of heads) other.setAttribute("aria-sort", other === head ? direction : "none");
    const sign = direction === "ascending" ? 1 : -1;
    const missing = (value) => value === null || value === undefined || value === "" || Number.isNaN(value);
    lines.sort((a, b) => {
      const x = column.key(a.row),
        y = column.key(b.row);
      if (missing(x) || missing(y)) return missing(x) - missing(y) || a.index - b.index;
      return sign * compare(x, y) || a.index - b.index;
    });
    body.append(...lines.map(({ line }) => line));
    ordered?.(lines.map(({ row }) => row));
  }
  body.append(...lines.map(({ line }) => line));
  return element(
    "table",
    { class: `sortable ${kind}`, style: `--columns: ${columns.length}` },
    element("caption", {}, element("span", {}, caption)),
    element("thead", {}, groups, element("tr", {}, heads)),
    body,
  );
}

// "Ours" says something only beside a paper's figure.
const METRIC_HEADS = { accuracy: "accuracy", macro_f1: "macro-F1", positive_f1: "F1" };

function resultColumns(table) {
  const hasPaper = table.columns.map((_, i) => table.rows.some((row) => isNumber(row.cells[i]?.paper)));
  const unequal =
    unique(table.rows.flatMap((row) => row.cells.map((cell) => list(cell?.runs).length)).filter(Boolean))
      .length > 1;
  const widths = [];
  const columns = [
    {
      name: "method",
      text: true,
      key: (row) => row.method,
      cell: (row) => element("th", { scope: "row" }, row.method),
    },
  ];
  table.columns.forEach((data, i) => {
    const of = (row) => row.cells[i] ?? null;
    columns.push({
      name: hasPaper[i] ? "ours" : (METRIC_HEADS[table.metric] ?? "mean"),
      key: (row) => of(row)?.mean,
      cell: (row) => meanCell(of(row), unequal),
    });
    const asked = list(table.asked).filter(({ name }) => table.rows.some((row) => of(row)?.asked?.[name]));
    widths.push(1 + asked.length + (hasPaper[i] ? 2 : 0));
    for (const question of asked) {
      const figure = (row) => of(row)?.asked?.[question.name];
      columns.push({
        name: question.name,
        key: (row) => figure(row)?.figure,
        cell: (row) => askedCell(question, figure(row)),
      });
    }
    if (!hasPaper[i]) return;
    columns.push({
      name: "paper",
      key: (row) => of(row)?.paper,
      cell: (row) => element("td", { class: "figure paper" }, fixed(of(row)?.paper)),
    });
    columns.push({
      name: "\u0394",
      key: (row) => of(row)?.difference,
      cell: (row) => differenceCell(of(row)),
    });
  });
  return { columns, widths };
}

// What a model was asked beside the test graphs.
function askedCell(question, figure) {
  if (!isNumber(figure?.figure)) return element("td", { class: "figure none" }, "\u2013");
  const title = [
    `${fixed(figure.figure, figure.digits)} % ${question.words}`,
    isNumber(figure.low) ? `95 % interval ${fixed(figure.low)} to ${fixed(figure.high)}` : null,
    question.key === "accuracy" ? null : `${fixed(figure.accuracy)} % of single graphs right`,
  ]
    .filter(Boolean)
    .join("; ");
  return element(
    "td",
    { class: "figure asked", title },
    fixed(figure.figure, figure.digits),
    isNumber(figure.sd) ? element("span", { class: "sd" }, ` \u00b1 ${fixed(figure.sd, figure.digits)}`) : null,
  );
}

// Methods by data sets as colours; what stands in the file as SVG is copied element by element.
const MAPPED = new Set(["svg", "g", "rect", "path", "text", "title"]);
function heatMap({ title, svg }) {
  const source = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  if (source.localName !== "svg") return null;
  const copy = (node) => {
    const made = shape(node.localName);
    for (const { name, value } of node.attributes)
      if (!/^(on|style$|href|xmlns|.*:)/.test(name)) made.setAttribute(name, value);
    for (const child of node.childNodes) {
      if (child.nodeType === Node.TEXT_NODE && ["text", "title"].includes(node.localName))
        made.append(child.data);
      if (child.nodeType === Node.ELEMENT_NODE && MAPPED.has(child.localName)) made.append(copy(child));
    }
    return made;
  };
  const map = copy(source);
  map.setAttribute("aria-label", title);
  return element("figure", { class: "map" }, map);
}

function meanCell(cell, withRuns) {
  if (!cell || !isNumber(cell.mean))
    return element("td", { class: "figure none" }, cell?.failed ? "failed" : "\u2013");
  const marks = { best: "best of its column", same: "not told apart from the best" };
  const title = [marks[cell.mark], cell.taken_from ? `the runs of ${cell.taken_from}` : null]
    .filter(Boolean)
    .join("; ");
  // What is to be noted stands before the figures, so that these stay under each other.
  return element(
    "td",
    { class: `figure ours ${cell.mark || ""}`, title: title || null },
    isDead(cell) ? element("sup", { class: "flaw", title: deadLine(cell) }, "one class") : null,
    cell.failed
      ? element("sup", { class: "flaw", title: plural(cell.failed, "run") + " failed" }, `${cell.failed} failed`)
      : null,
    element("span", { class: "mean" }, fixed(cell.mean, cell.digits)),
    isNumber(cell.sd) ? element("span", { class: "sd" }, ` \u00b1 ${fixed(cell.sd, cell.digits)}`) : null,
    withRuns ? element("span", { class: "sd" }, ` (${list(cell.runs).length})`) : null,
  );
}

const isDead = (cell) => 2 * (cell?.one_class ?? 0) > list(cell?.runs).length;
const deadLine = (cell) =>
  `gives all graphs one class in ${cell.one_class} of ${plural(list(cell.runs).length, "run")}`;

function differenceCell(cell) {
  const difference = cell?.difference;
  const kind = !isNumber(difference) || Math.abs(difference) < 0.05 ? "" : difference > 0 ? "more" : "less";
  return element("td", { class: `figure difference ${kind}` }, signed(difference, cell?.digits));
}

function resultLines(row, cell, name) {
  if (!cell || !isNumber(cell.mean)) return [row.method, cell?.failed ? "failed" : "not run"];
  const runs = list(cell.runs).length;
  return [
    `${row.method}, ${name}`,
    `${isNumber(cell.paper) ? "ours" : "mean"} ${fixed(cell.mean, cell.digits)}` +
      `${isNumber(cell.sd) ? ` \u00b1 ${fixed(cell.sd, cell.digits)}` : ""} (${plural(runs, "run")})`,
    isNumber(cell.low) ? `95 % interval ${fixed(cell.low)} to ${fixed(cell.high)}` : null,
    isNumber(cell.paper) ? `paper ${fixed(cell.paper)}, difference ${signed(cell.difference, cell.digits)}` : null,
    runs > 1 ? runsLine(cell) : null,
    isDead(cell) ? deadLine(cell) : null,
    cell.taken_from ? `the runs of ${cell.taken_from}` : null,
  ].filter(Boolean);
}

function runsLine(cell) {
  const figures = list(cell.runs)
    .map((run) => run.figure)
    .sort((a, b) => a - b);
  return figures.length <= 12
    ? `runs ${figures.map((figure) => fixed(figure)).join(", ")}`
    : `runs from ${fixed(figures[0])} to ${fixed(figures.at(-1))}`;
}

// A table and its picture; where runs have kept another epoch than their last, of either.
function resultTable(table, epoch) {
  if (!table.last) return element("div", { class: "block" }, resultBlock(table));
  const body = element("div");
  const show = (which) => body.replaceChildren(...resultBlock(which === "last" ? table.last : table));
  show(epoch);
  return element(
    "div",
    { class: "block" },
    element(
      "div",
      { class: "controls" },
      choice(
        "Epoch",
        [
          ["kept", "kept by validation"],
          ["last", "last"],
        ],
        epoch,
        show,
      ),
    ),
    body,
  );
}

// Dots say at a glance what the table says in figures.
function resultBlock(table) {
  const rows = list(table.rows);
  const { columns, widths } = resultColumns(table);
  const groups = element(
    "tr",
    { class: "groups" },
    element("td"),
    table.columns.map((name, i) => element("th", { scope: "colgroup", colspan: widths[i] }, name)),
  );
  let order = rows;
  const values = rows
    .flatMap((row) =>
      row.cells.flatMap((cell) => [cell?.mean, cell?.paper, ...list(cell?.runs).map((run) => run.figure)]),
    )
    .filter(isNumber);
  const figure = element("figure");
  const trivial = list(table.one_class).filter(isNumber);
  const low = Math.max(0, Math.floor((Math.min(...values, ...trivial, 100) - 2) / 10) * 10);
  const pictured = values.length > 0;
  const redraw = !pictured
    ? () => {}
    : panelGrid(figure, 280, Math.min(3, table.columns.length), (panelWidth) =>
        table.columns
          .map((name, i) => {
            const shown = order.filter(
              (row) => isNumber(row.cells[i]?.mean) || isNumber(row.cells[i]?.paper),
            );
            return shown.length === 0
              ? null
              : dotRows({
                  width: panelWidth,
                  title: name,
                  domain: [low, 100],
                  reference: list(table.one_class)[i],
                  label:
                    `${table.metric_name} on ${name}: ` +
                    shown
                      .map((row) =>
                        resultLines(row, row.cells[i], name)
                          .slice(1)
                          .join(", ")
                          .replace(/^/, row.method + " "),
                      )
                      .join("; "),
                  rows: shown.map((row) => ({
                    name: row.method,
                    value: row.cells[i]?.mean,
                    low: row.cells[i]?.low,
                    high: row.cells[i]?.high,
                    other: row.cells[i]?.paper,
                    points: list(row.cells[i]?.runs).map((run) => run.figure),
                    lines: resultLines(row, row.cells[i], name),
                  })),
                });
          })
          .filter(Boolean),
      );
  const view = sortableTable(`${table.title}: ${table.metric_name}`, columns, rows, {
    groups,
    kind: "results",
    ordered: (sorted) => {
      order = sorted;
      redraw();
    },
  });
  const several = rows.some((row) => row.cells.some((cell) => list(cell?.runs).length > 1));
  if (pictured)
    figure.append(
      element(
        "figcaption",
        {},
        element("span", { class: "key-dot" }),
        several
          ? table.paper
            ? " our runs; "
            : " runs; "
          : `${table.paper ? " ours" : " one run"}, with its 95 % interval`,
        several ? [element("span", { class: "key-bar" }), " their mean, with its 95 % interval"] : null,
        table.paper ? [element("span", { class: "key-other" }), ` ${table.paper}`] : null,
        trivial.length ? "; dashed: all graphs given one class" : null,
      ),
    );
  const maps = list(table.maps).map(heatMap);
  return [
    scroller(table.title, view),
    tableNotes(table, rows),
    maps.length ? element("div", { class: "maps" }, maps) : null,
    pictured ? figure : null,
  ].filter(Boolean);
}

function tableNotes(table, rows) {
  const cells = rows
    .flatMap((row) => row.cells.map((cell, i) => ({ cell, row, column: table.columns[i] })))
    .filter(({ cell }) => cell);
  const gaps = cells.filter(({ cell }) => isNumber(cell.difference));
  const notes = [];
  if (gaps.length > 0) {
    const widest = gaps.reduce((a, b) => (Math.abs(b.cell.difference) > Math.abs(a.cell.difference) ? b : a));
    const typical = gaps.map(({ cell }) => Math.abs(cell.difference)).sort((a, b) => a - b)[
      Math.floor(gaps.length / 2)
    ];
    notes.push(
      `\u0394 is ours less the paper's, in points: half of the ${gaps.length} figures differ by at most ${fixed(typical)}; ` +
        `the widest gap is ${signed(widest.cell.difference)} (${widest.row.method} on ${widest.column}).`,
    );
  }
  for (const { name, words } of list(table.asked)) notes.push(`${name}: ${words}, %.`);
  // In text, * and = mark what is bold and underlined here, and a dagger what is spelt out.
  const legend = /^\* (best of its column[^;]*); = /;
  const given = list(table.notes)
    .filter((note) => !note.startsWith("\u2020"))
    .map((note) => note.replace(legend, "Bold: $1; underlined: "));
  if (cells.some(({ cell }) => cell.mark) && !list(table.notes).some((note) => legend.test(note))) {
    notes.push("Bold: best of its column; underlined: not told apart from it.");
  }
  return element(
    "div",
    { class: "notes" },
    [...notes, ...given].map((note) =>
      element("p", {}, unbroken(note.charAt(0).toUpperCase() + note.slice(1))),
    ),
  );
}

function comparisonTable(comparison) {
  const { methods } = comparison;
  const cell = (p, i, j) =>
    i === j
      ? element("td", { class: "diagonal" })
      : element(
          "td",
          {
            class: `figure ${isNumber(p) && p < 0.05 ? "told" : ""}`,
            title: isNumber(p) ? `${methods[i]} and ${methods[j]}: p = ${p}` : "could not be computed",
          },
          isNumber(p) ? probability(p) : "\u2013",
        );
  const label = `${comparison.data}, ${comparison.test} test`;
  return element(
    "div",
    { class: "pairs" },
    element("h3", {}, label),
    scroller(
      `p-values: ${label}`,
      element(
        "table",
        { class: "comparison", "aria-label": `p-values: ${label}` },
        element(
          "thead",
          {},
          element(
            "tr",
            {},
            element("td"),
            methods.map((name) => element("th", { scope: "col" }, element("span", {}, name))),
          ),
        ),
        element(
          "tbody",
          {},
          methods.map((name, i) =>
            element(
              "tr",
              {},
              element("th", { scope: "row" }, name),
              methods.map((_, j) => cell(list(comparison.p[i])[j], i, j)),
            ),
          ),
        ),
      ),
    ),
  );
}

function runsTable(runs) {
  const text = (name, key) => ({
    name,
    text: true,
    key,
    cell: (run) => element("td", { title: key(run) }, key(run) ?? ""),
  });
  const figure = (name, key, write = (v) => (isNumber(v) ? String(v) : "")) => ({
    name,
    key,
    cell: (run) => element("td", { class: "figure" }, write(key(run))),
  });
  const columns = [
    text("data", (r) => r.data),
    text("method", (r) => r.method),
    figure("fold", (r) => r.fold),
    figure("seed", (r) => r.seed),
    figure("accuracy", (r) => r.accuracy, percent),
    figure("macro-F1", (r) => r.macro_f1, percent),
    ...(runs.some((run) => run.last)
      ? [figure("last epoch", (r) => (r.last ?? (r.best_epoch === r.epochs ? r : null))?.accuracy, percent)]
      : []),
    figure("validation", (r) => r.validation_accuracy, percent),
    figure("epochs", (r) => r.epochs),
    figure("best", (r) => r.best_epoch),
    figure("time", (r) => r.seconds, duration),
    text("options", (r) => plain(r.options ?? {})),
    text("chosen", (r) => plain(r.chosen ?? {})),
    text("host", (r) => r.host),
    text("version", (r) => r.program_version),
  ];
  if (runs.some((run) => run.error)) columns.push(text("error", (r) => r.error));
  return scroller("All runs", sortableTable(plural(runs.length, "run"), columns, runs, { kind: "runs" }));
}
