// Two kinds of chart, made by hand as SVG: panels of lines, and rows of dots.

// Round steps of 1, 2 or 5 times a power of ten.
function ticks(low, high, wanted) {
  const raw = (high - low) / Math.max(1, wanted);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= raw * 0.999);
  const values = [];
  for (let v = Math.ceil(low / step - 1e-9) * step; v <= high + step * 1e-6; v += step) {
    values.push(Math.round(v / step) * step);
  }
  return values;
}

// Whole numbers in low..high, at least three where there are as many; steps are round.
function wholeTicks(low, high) {
  for (let wanted = 3; wanted <= 6; wanted++) {
    const values = ticks(low, high, wanted).filter(Number.isInteger);
    if (values.length >= 3) return values;
  }
  return Array.from({ length: high - low + 1 }, (_, i) => low + i).slice(0, 6);
}

const scale = (low, high, from, to) => (value) => from + ((value - low) / (high - low || 1)) * (to - from);

// Gaps where a figure is missing or not finite.
function path(points) {
  let text = "",
    pen = false;
  for (const [x, y] of points) {
    if (!isNumber(x) || !isNumber(y)) {
      pen = false;
      continue;
    }
    text += `${pen ? "L" : "M"}${x.toFixed(1)},${y.toFixed(1)}`;
    pen = true;
  }
  return text;
}

// Lets pointer and arrow keys walk over the stops of a chart: { x, y, lines } in the chart's own
// coordinates. `along` is the direction in which stops lie. The chart is one stop of the Tab key.
function explorable(svg, stops, along, guide) {
  let at = -1;
  const show = (index, place) => {
    at = index;
    const stop = stops[index],
      box = svg.getBoundingClientRect();
    const ratio = box.width / svg.viewBox.baseVal.width;
    guide(stop);
    svg.classList.add("pointed");
    tip.show(
      stop.lines,
      place ? place[0] : box.left + stop.x * ratio,
      place ? place[1] : box.top + stop.y * ratio,
    );
  };
  const leave = () => {
    svg.classList.remove("pointed");
    tip.hide();
  };
  svg.addEventListener("pointermove", (event) => {
    const box = svg.getBoundingClientRect();
    const ratio = svg.viewBox.baseVal.width / box.width;
    const here = (along === "x" ? event.clientX - box.left : event.clientY - box.top) * ratio;
    let nearest = 0;
    stops.forEach((stop, i) => {
      if (Math.abs(stop[along] - here) < Math.abs(stops[nearest][along] - here)) nearest = i;
    });
    show(nearest, [event.clientX, event.clientY]);
  });
  svg.addEventListener("pointerleave", leave);
  svg.addEventListener("blur", leave);
  svg.addEventListener("keydown", (event) => {
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, PageDown: 10, PageUp: -10 };
    let next = null;
    if (event.key in steps) next = at + (at < 0 && steps[event.key] > 0 ? 1 : steps[event.key]);
    if (event.key === "Home") next = 0;
    if (event.key === "End") next = stops.length - 1;
    if (event.key === "Escape") leave();
    if (next === null) return;
    event.preventDefault();
    show(Math.max(0, Math.min(stops.length - 1, next)));
  });
  svg.setAttribute("tabindex", "0");
}

// An empty chart; the label says in words what it shows.
function canvas(width, height, label) {
  return shape("svg", {
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: "img",
    "aria-label": label,
    class: "chart",
  });
}

// One small panel: { title, note, label, width, height, x: [low, high], y: [low, high],
// xTicks: [[at, text]], yTicks: [[at, text]], draw(sx, sy) -> shapes, stops(sx, sy) }.
function linePanel(spec) {
  const { width, height } = spec;
  const left = 34,
    right = 10,
    top = 26,
    bottom = 22;
  const sx = scale(spec.x[0], spec.x[1], left, width - right);
  const sy = scale(spec.y[0], spec.y[1], height - bottom, top);
  const svg = canvas(width, height, spec.label);
  svg.append(shape("text", { x: 0, y: 12, class: "panel-title" }, spec.title));
  if (spec.note && width > 190)
    svg.append(shape("text", { x: width - right, y: 12, class: "panel-note" }, spec.note));
  for (const [value, text] of spec.yTicks) {
    svg.append(
      shape("line", { x1: left, x2: width - right, y1: sy(value), y2: sy(value), class: "grid" }),
      shape("text", { x: left - 5, y: sy(value) + 3.5, class: "tick end" }, text),
    );
  }
  spec.xTicks.forEach(([value, text], i) =>
    svg.append(
      shape(
        "text",
        {
          x: sx(value),
          y: height - 6,
          class: `tick ${spec.xInside && i === spec.xTicks.length - 1 ? "end" : "middle"}`,
        },
        text,
      ),
    ),
  );
  const guide = shape("line", { class: "guide", y1: top, y2: height - bottom });
  svg.append(guide, ...spec.draw(sx, sy));
  explorable(svg, spec.stops(sx, sy), "x", (stop) => {
    guide.setAttribute("x1", stop.x);
    guide.setAttribute("x2", stop.x);
  });
  return svg;
}

// Where dots that would cover each other go: up and down in turn, `size` apart.
function swarm(xs, size, most) {
  const placed = [];
  return xs.map((x) => {
    const near = placed.filter((other) => Math.abs(other.x - x) < size);
    let y = 0;
    for (let i = 1; near.some((other) => Math.abs(other.y - y) < size - 0.1) && Math.abs(y) < most; i++) {
      y = (i % 2 === 1 ? 1 : -1) * Math.ceil(i / 2) * size;
    }
    placed.push({ x, y });
    return Math.max(-most, Math.min(most, y));
  });
}

// Rows of dots: { width, label, domain, rows: [{ name, value, low, high, other, points, text, lines }],
// reference, unit }. The filled dot is ours, the open one what it is held against; where there are
// points, which are ours one by one, a bar is their mean.
function dotRows(spec) {
  const { width, rows } = spec;
  const step = rows.some((row) => list(row.points).length > 1) ? 28 : 24,
    top = spec.title ? 26 : 8;
  const widest = Math.max(...rows.map((row) => row.name.length));
  const left = Math.min(width * 0.55, 14 + widest * 7.4),
    right = rows.some((row) => row.text) ? 50 : 14;
  const bottom = top + rows.length * step,
    height = bottom + 22;
  const sx = scale(spec.domain[0], spec.domain[1], left, width - right);
  const svg = canvas(width, height, spec.label);
  if (spec.title) svg.append(shape("text", { x: 0, y: 13, class: "panel-title" }, spec.title));
  for (const value of ticks(spec.domain[0], spec.domain[1], Math.min(6, width / 90))) {
    svg.append(
      shape("line", { x1: sx(value), x2: sx(value), y1: top, y2: bottom, class: "grid" }),
      shape("text", { x: sx(value), y: bottom + 15, class: "tick middle" }, `${fixed(value, 0)}`),
    );
  }
  if (isNumber(spec.reference)) {
    svg.append(
      shape("line", {
        x1: sx(spec.reference),
        x2: sx(spec.reference),
        y1: top,
        y2: bottom,
        class: "reference",
      }),
    );
  }
  const guide = shape("rect", { class: "guide-row", x: 0, width, height: step, rx: 3 });
  svg.append(guide);
  const stops = rows.map((row, i) => {
    const y = top + step * (i + 0.5);
    svg.append(shape("text", { x: left - 10, y: y + 4, class: "row-name end" }, row.name));
    if (isNumber(row.value) && isNumber(row.other)) {
      svg.append(shape("line", { x1: sx(row.value), x2: sx(row.other), y1: y, y2: y, class: "link" }));
    }
    if (isNumber(row.low) && isNumber(row.high)) {
      const ends = [row.low, row.high].map((v) => sx(Math.max(spec.domain[0], Math.min(spec.domain[1], v))));
      svg.append(shape("line", { x1: ends[0], x2: ends[1], y1: y, y2: y, class: "interval" }));
    }
    if (isNumber(row.other))
      svg.append(shape("circle", { cx: sx(row.other), cy: y, r: 4.5, class: "dot-other" }));
    const points = list(row.points).filter(isNumber);
    if (points.length > 1) {
      points.sort((a, b) => a - b);
      const xs = points.map(sx);
      const away = swarm(xs, 4.4, step / 2 - 4);
      xs.forEach((x, j) => svg.append(shape("circle", { cx: x, cy: y + away[j], r: 2.4, class: "point" })));
      svg.append(shape("line", { x1: sx(row.value), x2: sx(row.value), y1: y - 8, y2: y + 8, class: "mean-bar" }));
    } else if (isNumber(row.value)) {
      svg.append(shape("circle", { cx: sx(row.value), cy: y, r: 4, class: "dot" }));
    }
    if (row.text) svg.append(shape("text", { x: width - 2, y: y + 4, class: "row-value end" }, row.text));
    return { x: sx(row.value ?? spec.domain[0]), y, lines: row.lines };
  });
  explorable(svg, stops, "y", (stop) => guide.setAttribute("y", stop.y - step / 2));
  return svg;
}

// As many panels in a row as fit, all of one width; on a phone two, where `small` allows it.
function panelGrid(figure, least, most, panels, small = false) {
  const grid = element("div", { class: "panels" });
  figure.append(grid);
  return drawnToWidth(grid, (width) => {
    const narrow = small && width < 500;
    const gap = narrow ? 12 : 28;
    const columns = narrow ? 2 : Math.max(1, Math.min(most, Math.floor((width + gap) / (least + gap))));
    grid.style.columnGap = `${gap}px`;
    grid.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
    grid.replaceChildren(...panels(Math.floor((width - gap * (columns - 1)) / columns)));
  });
}
