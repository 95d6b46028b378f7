// Figures over the runs: learning curves, confusion matrices, accuracy by kind of graph.

const METHOD_ORDER = []; // as in the first table, so that a method has the same place everywhere
const inOrder = (methods) =>
  unique(methods).sort((a, b) => {
    const place = (m) => (METHOD_ORDER.includes(m) ? METHOD_ORDER.indexOf(m) : METHOD_ORDER.length);
    return place(a) - place(b);
  });

// A figure that shows one data set at a time; show(data, body) fills it anew.
function byData(names, show, extra = []) {
  const body = element("div");
  let chosen = names[0];
  const draw = () => {
    body.replaceChildren();
    show(chosen, body);
  };
  const controls = element(
    "div",
    { class: "controls" },
    names.length > 1
      ? choice(
          "Data",
          names.map((name) => [name, name]),
          chosen,
          (name) => {
            chosen = name;
            draw();
          },
        )
      : null,
    extra.map((make) => make(draw)),
  );
  draw();
  return element("div", { class: "block" }, controls.childElementCount ? controls : null, body);
}

const WHAT = {
  accuracy: {
    train: "train_accuracy",
    validation: "validation_accuracy",
    write: percent,
    axis: (v) => fixed(100 * v, 0),
  },
  loss: {
    train: "train_loss",
    validation: "validation_loss",
    write: (v) => fixed(v, 3),
    axis: (v) => String(Number(v.toFixed(2))),
  },
};

function learningCurves(runs) {
  const trained = runs.filter((run) => list(run.curve?.epoch).length > 1);
  if (trained.length === 0) return null;
  let what = "accuracy";
  const picker = (draw) =>
    choice(
      "Show",
      [
        ["accuracy", "accuracy"],
        ["loss", "loss"],
      ],
      what,
      (name) => {
        what = name;
        draw();
      },
    );
  return byData(
    unique(trained.map((run) => run.data)),
    (data, body) => {
      const here = trained.filter((run) => run.data === data);
      const { train, validation } = WHAT[what];
      let values = here
        .flatMap((run) => [...list(run.curve[train]), ...list(run.curve[validation])])
        .filter(isNumber);
      values.sort((a, b) => a - b);
      // One epoch that blows up must not flatten all the others: the axis ends above 99 % of them.
      const high =
        what === "accuracy" ? 1 : Math.max(0.1, (values[Math.floor(values.length * 0.99)] ?? 1) * 1.1);
      const low = what === "accuracy" ? Math.max(0, Math.floor((values[0] ?? 0) * 10) / 10) : 0;
      const last = here.reduce((most, run) => Math.max(most, run.curve.epoch.at(-1)), 1);
      const figure = element("figure");
      panelGrid(
        figure,
        208,
        4,
        (width) =>
          inOrder(here.map((run) => run.method)).map((method) =>
            curvePanel(
              method,
              here.filter((run) => run.method === method),
              what,
              width,
              [low, high],
              last,
            ),
          ),
        true,
      );
      figure.append(
        element(
          "figcaption",
          {},
          element("span", { class: "key-line validation" }),
          " validation ",
          element("span", { class: "key-line train" }),
          " training ",
          element("span", { class: "key-dot" }),
          " the epoch that was kept; one line per run. Across: epochs.",
        ),
      );
      body.append(figure);
    },
    [picker],
  );
}

function curvePanel(method, runs, what, width, [low, high], last) {
  const { train, validation, write, axis } = WHAT[what];
  const inside = (v) => (isNumber(v) ? Math.min(high, Math.max(low, v)) : v);
  const points = (run, column, sx, sy) =>
    run.curve.epoch.map((epoch, i) => {
      const value = list(run.curve[column])[i];
      return [sx(epoch), isNumber(value) ? sy(inside(value)) : null];
    });
  const scores = runs.map((run) => run.validation_accuracy).filter(isNumber);
  const mean = scores.reduce((sum, v) => sum + v, 0) / scores.length;
  const epochs = unique(runs.flatMap((run) => run.curve.epoch)).sort((a, b) => a - b);
  const at = runs.map((run) => new Map(run.curve.epoch.map((epoch, i) => [epoch, i])));
  const range = (epoch, column, name) => {
    const values = runs.map((run, r) => list(run.curve[column])[at[r].get(epoch)]).filter(isNumber);
    if (values.length === 0) return null;
    const middle = values.reduce((sum, v) => sum + v, 0) / values.length;
    return (
      `${name} ${write(middle)}` +
      (values.length > 1
        ? ` (${plural(values.length, "run")}, ${write(Math.min(...values))} to ${write(Math.max(...values))})`
        : "")
    );
  };
  return linePanel({
    title: method,
    note: scores.length ? `${percent(mean)} kept` : "",
    width,
    height: width < 190 ? 124 : 150,
    x: [epochs[0], last],
    y: [low, high],
    label:
      `Learning curves of ${method}, ${plural(runs.length, "run")}: ` +
      [
        `${epochs.at(-1)} epochs`,
        scores.length ? `validation accuracy ${percent(mean)} at the epoch kept` : null,
        range(epochs.at(-1), validation, `validation ${what} in the last epoch`),
      ]
        .filter(Boolean)
        .join(", "),
    yTicks: ticks(low, high, 4).map((v) => [v, axis(v)]),
    xTicks: wholeTicks(epochs[0], last).map((v) => [v, String(v)]),
    draw: (sx, sy) => [
      ...runs.map((run) => shape("path", { class: "line train", d: path(points(run, train, sx, sy)) })),
      ...runs.map((run) =>
        shape("path", { class: "line validation", d: path(points(run, validation, sx, sy)) }),
      ),
      ...runs
        .map((run) => {
          const value = list(run.curve[validation])[run.curve.epoch.indexOf(run.best_epoch)];
          return isNumber(value)
            ? shape("circle", { class: "dot", r: 3, cx: sx(run.best_epoch), cy: sy(inside(value)) })
            : null;
        })
        .filter(Boolean),
    ],
    stops: (sx, sy) =>
      epochs.map((epoch) => ({
        x: sx(epoch),
        y: sy((low + high) / 2),
        lines: [
          `${method}, epoch ${epoch}`,
          range(epoch, validation, "validation"),
          range(epoch, train, "training"),
        ].filter(Boolean),
      })),
  });
}

function breakdownFigures(breakdowns) {
  const usable = breakdowns.filter((part) => list(part.bins).length > 0 && list(part.methods).length > 0);
  if (usable.length === 0) return null;
  return byData(unique(usable.map((part) => part.data)), (data, body) => {
    for (const part of usable.filter((one) => one.data === data)) body.append(breakdownFigure(part));
  });
}

function breakdownFigure(part) {
  // Where every fold tests on other graphs, a method may not have been asked about all of them.
  const count = (method, i) => list(method.counts)[i] ?? part.counts[i];
  const share = (method, i) => (count(method, i) > 0 ? method.right[i] / count(method, i) : null);
  const all = part.methods.flatMap((method) => part.bins.map((_, i) => share(method, i))).filter(isNumber);
  const low = Math.max(0, Math.floor(Math.min(0.5, ...all) * 10 - 0.5) / 10);
  const figure = element("figure", {}, element("h3", {}, part.title));
  const methods = inOrder(part.methods.map((one) => one.method)).map((name) =>
    part.methods.find((one) => one.method === name),
  );
  panelGrid(
    figure,
    208,
    4,
    (width) =>
      methods.map((method) =>
        linePanel({
          title: method.method,
          width,
          height: width < 190 ? 124 : 144,
          x: [-0.25, part.bins.length - 0.75],
          y: [low, 1],
          label:
            `${method.method}, ${part.title.toLowerCase()}: ` +
            part.bins.map((bin, i) => `${bin}: ${percent(share(method, i))}`).join(", "),
          yTicks: ticks(low, 1, 4).map((v) => [v, fixed(100 * v, 0)]),
          xTicks: part.bins
            .map((bin, i) => [i, bin])
            .filter((_, i) => part.bins.join("").length * 6.5 < width - 40 || i % 2 === 0),
          draw: (sx, sy) => [
            ...methods
              .filter((other) => other !== method)
              .map((other) =>
                shape("path", {
                  class: "line faint",
                  d: path(
                    part.bins.map((_, i) => [sx(i), isNumber(share(other, i)) ? sy(share(other, i)) : null]),
                  ),
                }),
              ),
            shape("path", {
              class: "line own",
              d: path(
                part.bins.map((_, i) => [sx(i), isNumber(share(method, i)) ? sy(share(method, i)) : null]),
              ),
            }),
            ...part.bins.flatMap((_, i) => {
              if (!isNumber(share(method, i))) return [];
              const [from, to] = wilson(method.right[i], count(method, i)).map((v) => sy(Math.max(low, v)));
              return [
                shape("line", { class: "interval", x1: sx(i), x2: sx(i), y1: from, y2: to }),
                shape("circle", { class: "dot", r: 3.2, cx: sx(i), cy: sy(share(method, i)) }),
              ];
            }),
          ],
          stops: (sx, sy) =>
            part.bins.map((bin, i) => ({
              x: sx(i),
              y: sy(share(method, i) ?? low),
              lines: [
                `${method.method}, ${bin}`,
                count(method, i) > 0
                  ? `${percent(share(method, i))} of ${plural(count(method, i), "graph")} right`
                  : "no such graph",
                count(method, i) > 0
                  ? `95 % interval ${wilson(method.right[i], count(method, i))
                      .map((v) => percent(v))
                      .join(" to ")}`
                  : null,
              ].filter(Boolean),
            })),
        }),
      ),
    true,
  );
  figure.append(
    element(
      "figcaption",
      {},
      "Accuracy in per cent with 95 % intervals, mean over the runs; the other methods in grey. Across: ",
      part.by,
      `; graphs: ${part.bins.map((bin, i) => `${bin}: ${part.counts[i]}`).join(", ")}.`,
    ),
  );
  return figure;
}

function confusions(runs, cards) {
  const known = runs.filter((run) => list(run.confusion).length > 0);
  if (known.length === 0) return null;
  return byData(unique(known.map((run) => run.data)), (data, body) => {
    const here = known.filter((run) => run.data === data);
    const classes =
      cards.find((card) => card.name === data)?.classes ?? here[0].confusion.map((_, i) => String(i));
    const meanings = list(cards.find((card) => card.name === data)?.meanings);
    body.append(
      element(
        "div",
        { class: "confusions", style: `--classes: ${classes.length}` },
        inOrder(here.map((run) => run.method)).map((method) => {
          const mine = here.filter((run) => run.method === method);
          return confusionTable(
            method,
            classes,
            mine[0].confusion.map((row, i) =>
              row.map((_, j) => mine.reduce((sum, run) => sum + (run.confusion[i]?.[j] ?? 0), 0)),
            ),
            mine.length,
          );
        }),
      ),
      element(
        "p",
        { class: "notes" },
        "Rows: the true class; columns: what the method said; F1 of each class in per cent; test graphs of all runs together.",
        meanings.length ? ` ${classes.map((name, i) => `${name}: ${meanings[i]}`).join("; ")}.` : "",
      ),
    );
  });
}

function confusionTable(method, classes, counts, runs) {
  const total = (row) => row.reduce((sum, v) => sum + v, 0);
  const said = classes.filter((_, j) => counts.some((row) => row[j] > 0));
  const f1 = counts.map((row, i) => {
    const marked = total(row) + counts.reduce((sum, other) => sum + other[i], 0);
    return marked > 0 ? fixed((200 * row[i]) / marked) : "\u2013";
  });
  const many = classes.length > 2;
  const table = element(
    "table",
    { class: many ? "confusion many" : "confusion" },
    element(
      "caption",
      {},
      element("strong", {}, method),
      element("span", {}, said.length === 1 ? `always says ${said[0]}` : plural(runs, "run")),
    ),
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        element("td"),
        classes.map((name) => element("th", { scope: "col", title: name }, name)),
        element("th", { scope: "col", class: "f1" }, "F1"),
      ),
    ),
    element(
      "tbody",
      {},
      counts.map((row, i) =>
        element(
          "tr",
          {},
          element("th", { scope: "row", title: classes[i] }, classes[i]),
          row.map((count, j) => {
            const share = total(row) > 0 ? count / total(row) : 0;
            return element(
              "td",
              { class: i === j ? "right" : "wrong", style: `--share: ${share.toFixed(3)}` },
              grouped(count),
              element("small", {}, many ? `${fixed(100 * share, 0)}\u00a0%` : percent(share)),
            );
          }),
          element("td", { class: "f1" }, f1[i]),
        ),
      ),
    ),
  );
  return many ? scroller(`Confusions of ${method}`, table) : table;
}
