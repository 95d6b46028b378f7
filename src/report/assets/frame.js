// What every page has around its parts: the model, the theme, sections and the list of them.

const model = JSON.parse(document.getElementById("model").textContent);
const content = document.getElementById("content");
const contents = document.querySelector(".contents");

// Storage may be forbidden for files; the theme is then kept for this view only.
const stored = {
  get() {
    try {
      return localStorage.getItem("bermuda-theme");
    } catch {
      return null;
    }
  },
  set(value) {
    try {
      localStorage.setItem("bermuda-theme", value);
    } catch {
      /* as said above */
    }
  },
};
const darkScheme = matchMedia("(prefers-color-scheme: dark)");
const themeButton = element("button", {
  type: "button",
  class: "theme",
  onclick: () => {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    stored.set(next);
    setTheme(next);
  },
});
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  themeButton.textContent = theme === "dark" ? "Light" : "Dark";
  themeButton.setAttribute("aria-label", `Switch to the ${theme === "dark" ? "light" : "dark"} theme`);
}
setTheme(stored.get() ?? (darkScheme.matches ? "dark" : "light"));
darkScheme.addEventListener("change", (event) => {
  if (!stored.get()) setTheme(event.matches ? "dark" : "light");
});

function section(id, title, intro, ...parts) {
  const filled = parts.flat().filter(Boolean);
  if (filled.length === 0) return;
  content.append(
    element(
      "section",
      { id, "aria-labelledby": `${id}-title` },
      element("h2", { id: `${id}-title` }, title),
      intro ? element("p", { class: "intro" }, intro) : null,
      filled,
    ),
  );
  contents.append(element("a", { href: `#${id}` }, title));
}

// After the last section.
function endPage() {
  if (contents.childElementCount < 2) contents.remove();

  // The contents show where the reader is.
  const spy = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        for (const link of contents.children) {
          if (link.hash === `#${target.id}`) link.setAttribute("aria-current", "true");
          else link.removeAttribute("aria-current");
        }
      }
    },
    { rootMargin: "-20% 0px -70% 0px" },
  );
  for (const part of content.querySelectorAll("section")) spy.observe(part);
}
