// Heat maps, which the program draws: taken over shape by shape, with the tip beside the pointer
// instead of the browser's own titles. Fields can be walked over with the arrow keys.

const HEAT_DRAWN = new Set(["svg", "g", "rect", "path", "text"]);
const HEAT_KEPT =
  /^(class|viewBox|d|[xy]|width|height|fill|stroke|stroke-width|stroke-dasharray|stroke-linecap|text-anchor|font-size|font-weight|transform)$/;

function heatMap(text, label) {
  const source = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (source.localName !== "svg") return element("p", {}, "no picture");
  const copy = (node) => {
    const made = shape(node.localName);
    for (const { name, value } of node.attributes) if (HEAT_KEPT.test(name)) made.setAttribute(name, value);
    for (const child of node.childNodes) {
      if (child.nodeType === Node.TEXT_NODE && node.localName === "text") made.append(child.data);
      if (child.nodeType !== Node.ELEMENT_NODE) continue;
      if (HEAT_DRAWN.has(child.localName)) made.append(copy(child));
      else if (child.localName === "title" && node.classList.contains("cell")) made.dataset.told = child.textContent;
    }
    return made;
  };
  const svg = copy(source);
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", label);
  const cells = [...svg.querySelectorAll("g.cell")];
  const columns = cells.filter((cell) => top(cell) === top(cells[0])).length;
  function top(cell) {
    return cell.querySelector("rect").getAttribute("y");
  }
  const tell = (cell) => {
    for (const other of cells) other.classList.toggle("pointed", other === cell);
    if (!cell) return tip.hide();
    const box = cell.getBoundingClientRect();
    tip.show(cell.dataset.told.split("\n").map(unbroken), box.left + box.width / 2, box.top);
  };
  cells.forEach((cell, i) => {
    cell.setAttribute("role", "img");
    cell.setAttribute("aria-label", cell.dataset.told.replaceAll("\n", "; "));
    cell.setAttribute("tabindex", i === 0 ? "0" : "-1");
    cell.addEventListener("pointerenter", () => tell(cell));
    cell.addEventListener("focus", () => tell(cell));
    cell.addEventListener("blur", () => tell(null));
    cell.addEventListener("keydown", (event) => {
      const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns };
      const next = cells[i + (steps[event.key] ?? 0)];
      if (!(event.key in steps) || !next) return;
      event.preventDefault();
      cell.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    });
  });
  svg.addEventListener("pointerleave", () => tell(null));
  return svg;
}
