// What all parts of the page share: making elements, writing numbers, the tip beside the pointer.

// Text only ever enters the page as text nodes, so nothing in the model can become markup.
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}
const element = (name, attributes = {}, ...children) =>
  fill(document.createElement(name), attributes, children);
const shape = (name, attributes = {}, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

const unbroken = (text) => String(text).replaceAll(" %", "\u00a0%");
const list = (value) => (Array.isArray(value) ? value : []);
const unique = (values) => [...new Set(values)];
const isNumber = (value) => typeof value === "number" && Number.isFinite(value);
const plural = (count, one, many = one + "s") => `${grouped(count)} ${count === 1 ? one : many}`;

const MINUS = "\u2212";
const fixed = (value, digits = 1) => (isNumber(value) ? value.toFixed(digits).replace("-", MINUS) : "");
const signed = (value, digits = 1) => {
  if (!isNumber(value)) return "";
  const text = fixed(value, digits);
  return Number(value.toFixed(digits)) > 0 ? "+" + text : text.replace(/^\u2212(0\.?0*)$/, "$1");
};
const percent = (share, digits = 1) => (isNumber(share) ? `${fixed(100 * share, digits)}\u00a0%` : "");
// Thin spaces between thousands, as in print.
const grouped = (count) => String(count).replace(/\B(?=(\d{3})+(?!\d))/g, "\u2009");
const probability = (p) => (!isNumber(p) ? "" : p < 0.001 ? "<.001" : p.toFixed(3).replace(/^0/, ""));
function duration(seconds) {
  if (!isNumber(seconds)) return "";
  if (seconds < 120) return `${fixed(seconds, seconds < 10 ? 1 : 0)} s`;
  return seconds < 7200 ? `${fixed(seconds / 60, 0)} min` : `${fixed(seconds / 3600, 1)} h`;
}
const plain = (value) =>
  value !== null && typeof value === "object" && !Array.isArray(value)
    ? Object.entries(value)
        .map(([key, inner]) => `${key} ${plain(inner)}`)
        .join(", ")
    : Array.isArray(value)
      ? value.map(plain).join(", ")
      : String(value ?? "left open");

// 95 % interval of a share, after Wilson: stays inside 0..1 and is honest for small counts.
function wilson(right, count) {
  const z = 1.96,
    share = right / count,
    weight = 1 + (z * z) / count;
  const middle = (share + (z * z) / (2 * count)) / weight;
  const half = (z / weight) * Math.sqrt((share * (1 - share)) / count + (z * z) / (4 * count * count));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

const tip = {
  node: document.querySelector(".tip"),
  show(lines, x, y) {
    // The same text again would only make a screen reader repeat itself.
    const text = lines.join("\n");
    if (this.text !== text || this.node.hidden) {
      this.node.replaceChildren(...lines.map((line, i) => element(i === 0 ? "strong" : "span", {}, line)));
      this.text = text;
    }
    this.node.hidden = false;
    const box = this.node.getBoundingClientRect();
    const left = x + 14 + box.width > innerWidth ? x - 14 - box.width : x + 14;
    this.node.style.left = `${Math.max(6, left)}px`;
    this.node.style.top = `${Math.min(innerHeight - box.height - 6, Math.max(6, y - box.height - 10))}px`;
  },
  hide() {
    this.node.hidden = true;
  },
};

// A row of radio buttons that look like one control: arrow keys work without our help.
let groups = 0;
function choice(label, names, chosen, change) {
  const name = `choice-${++groups}`;
  return element(
    "fieldset",
    { class: "choice" },
    element("legend", {}, label),
    element(
      "div",
      { class: "options" },
      names.map(([value, text]) =>
        element(
          "label",
          {},
          element("input", {
            type: "radio",
            name,
            value,
            checked: value === chosen,
            onchange: () => change(value),
          }),
          element("span", {}, text),
        ),
      ),
    ),
  );
}

function select(label, names, chosen, change) {
  const box = element(
    "select",
    { onchange: () => change(box.value) },
    names.map(([value, text]) => element("option", { value, selected: value === chosen }, text)),
  );
  return element("label", { class: "select" }, element("span", {}, label), box);
}

// Wide things scroll inside their own frame, so that the page never does; the frame can be focused,
// or the keyboard could not scroll it.
const scroller = (label, ...children) =>
  element("div", { class: "scroller", role: "region", "aria-label": label, tabindex: "0" }, children);

// Calls draw(width) now and whenever the width of the node changes: text in charts keeps its size.
function drawnToWidth(node, draw) {
  let width = 0;
  const redraw = () => {
    const now = Math.floor(node.clientWidth);
    if (now === 0 || now === width) return;
    width = now;
    draw(width);
  };
  // A frame later: what changes size inside an observer's own call is reported as an error.
  new ResizeObserver(() => requestAnimationFrame(redraw)).observe(node);
  return () => {
    width = 0;
    redraw();
  };
}
