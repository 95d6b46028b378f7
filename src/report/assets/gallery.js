// Drawings of graphs, and the gallery of wrong answers.

// Graphviz numbers its elements the same in every picture, and a picture is only a picture: keep
// shapes and their looks, drop ids, titles (tooltips of their own) and whatever else there is.
const DRAWN = new Set(["svg", "g", "path", "polygon", "polyline", "ellipse", "circle", "line", "text"]);
const KEPT =
  /^(class|transform|viewBox|d|points|[cr]?[xy]|[xy][12]|r|fill|stroke|stroke-width|stroke-dasharray|opacity|text-anchor|font-size)$/;
function drawing(text, label) {
  const source = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (source.localName !== "svg") return element("p", {}, "no drawing");
  const copy = (node) => {
    const made = shape(node.localName);
    for (const { name, value } of node.attributes) if (KEPT.test(name)) made.setAttribute(name, value);
    for (const child of node.childNodes) {
      if (child.nodeType === Node.TEXT_NODE && node.localName === "text") made.append(child.data);
      if (child.nodeType === Node.ELEMENT_NODE && DRAWN.has(child.localName)) made.append(copy(child));
    }
    return made;
  };
  const svg = copy(source);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  svg.classList.add("drawing");
  // Graphs of all sizes are drawn to one scale, up to what a card holds.
  const [, , width] = (svg.getAttribute("viewBox") ?? "0 0 200 200").split(/[ ,]+/).map(Number);
  svg.style.maxWidth = `${Math.round(width * 1.1)}px`;
  return svg;
}

// Which colour a node label has in the drawings; the number itself stands in the node.
function labelLegend(card) {
  const labels = list(card?.node_labels);
  if (labels.length === 0) return null;
  const coloured = labels.filter(({ colour }) => isNumber(colour));
  const rare = labels.length - coloured.length;
  return element(
    "p",
    { class: "notes legend" },
    "Nodes show their label: ",
    coloured.map(({ label, colour }) =>
      element("span", { class: "key-label" }, element("span", { class: `swatch c${colour}` }), String(label)),
    ),
    rare ? ` and ${plural(rare, "rarer one")} without a colour` : "",
  );
}

function gallerySection(galleries, cards) {
  const usable = galleries.filter((one) => list(one.graphs).length > 0);
  if (usable.length === 0) return null;
  const block = element("div", { class: "block gallery" });
  const status = element("p", { class: "notes", "aria-live": "polite" });
  const controls = element("div", { class: "controls" });
  const legend = element("div");
  const grid = element("div", { class: "graphs" });
  const kinds = (one) => unique(one.graphs.map((graph) => `${graph.truth}\u2192${graph.said}`)).sort();
  // A method that always says the same has little to show: begin with one that errs in several ways.
  const first = usable.find((one) => kinds(one).length > 1) ?? usable[0];
  let { data, method } = first,
    kind = "all";
  const dialog = graphDialog();

  const meaning = (name) => {
    const card = cards.find((one) => one.name === data);
    const text = list(card?.meanings)[list(card?.classes).indexOf(name)];
    return text ? `${name} (${text})` : name;
  };
  function drawControls(focus) {
    const here = usable.filter((one) => one.data === data);
    const one = here.find((candidate) => candidate.method === method) ?? here[0];
    method = one.method;
    const names = inOrder(here.map((candidate) => candidate.method));
    controls.replaceChildren(
      select(
        "Data",
        unique(usable.map((u) => u.data)).map((name) => [name, name]),
        data,
        (name) => {
          data = name;
          kind = "all";
          drawControls("0");
        },
      ),
      select(
        "Method",
        names.map((name) => [name, name]),
        method,
        (name) => {
          method = name;
          kind = "all";
          drawControls("1");
        },
      ),
      kinds(one).length > 1
        ? choice("Truth\u2192answer", [["all", "all"], ...kinds(one).map((k) => [k, k])], kind, (name) => {
            kind = name;
            drawGraphs(one);
          })
        : "",
    );
    if (focus) controls.querySelectorAll("select")[Number(focus)].focus();
    legend.replaceChildren(...[labelLegend(cards.find((card) => card.name === data))].filter(Boolean));
    drawGraphs(one);
  }
  function drawGraphs(one) {
    const shown = one.graphs.filter(
      (graph) => kind === "all" || kind === `${graph.truth}\u2192${graph.said}`,
    );
    status.textContent =
      `${method} on ${data}, fold ${one.fold}: ${grouped(one.wrong)} of ${grouped(one.tested)} test graphs wrong; ` +
      `${shown.length === 1 ? "one is" : `${shown.length} are`} shown` +
      (shown.some((graph) => graph.svg.includes("witness")) ? ", what proves the answer in red." : ".");
    const captions = shown.map((graph) => ({
      svg: graph.svg,
      id: graph.id,
      facts: `${plural(graph.nodes, "node")}, ${plural(graph.edges, "edge")}`,
      answer: `is ${meaning(graph.truth)}, said ${graph.said}`,
    }));
    grid.replaceChildren(
      ...captions.map((caption, i) =>
        element(
          "button",
          { type: "button", class: "graph", onclick: () => dialog.open(captions, i) },
          drawing(caption.svg, `Graph ${caption.id}: ${caption.facts}`),
          element("span", { class: "id" }, caption.id),
          element("span", {}, caption.answer),
          element("span", { class: "facts" }, caption.facts),
        ),
      ),
    );
  }
  drawControls();
  block.append(controls, status, legend, grid, dialog.node);
  return block;
}

// One graph large; arrow keys go through the gallery. The browser keeps focus inside and gives it back.
function graphDialog() {
  let graphs = [],
    at = 0;
  const body = element("div", { class: "large" });
  const move = (step) => {
    at = (at + step + graphs.length) % graphs.length;
    show();
  };
  const node = element(
    "dialog",
    {
      "aria-label": "Graph",
      onkeydown: (event) => {
        if (event.key === "ArrowRight") move(1);
        if (event.key === "ArrowLeft") move(-1);
      },
      onclick: (event) => {
        if (event.target === node) node.close();
      },
    },
    body,
    element(
      "div",
      { class: "buttons" },
      element("button", { type: "button", onclick: () => move(-1) }, "Previous"),
      element("button", { type: "button", onclick: () => move(1) }, "Next"),
      element("button", { type: "button", onclick: () => node.close() }, "Close"),
    ),
  );
  function show() {
    const { svg, id, facts, answer } = graphs[at];
    const picture = drawing(svg, `Graph ${id}: ${facts}`);
    picture.style.maxWidth = "none";
    body.replaceChildren(picture, element("p", {}, element("strong", {}, id), ` ${answer}; ${facts}`));
  }
  return {
    node,
    open(all, index) {
      graphs = all;
      at = index;
      show();
      node.showModal();
    },
  };
}
