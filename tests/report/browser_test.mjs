// node browser_test.mjs CHROMIUM PAGE...: opens reports in Chromium and does what a reader does. What
// a page has decides what is checked on it, so that any report will do; the page of the sample model,
// sample.html, must have everything.
import assert from "node:assert/strict";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [executablePath, ...files] = process.argv.slice(2);
assert.ok(files.length > 0, "no page to open");
const SECTIONS = ["results", "comparisons", "curves", "errors", "breakdown", "gallery", "data", "repeat"];

async function checkSorting(page) {
  const table = page.locator("#results table.sortable").first();
  const column = async (n) =>
    (
      await table
        .locator(`tbody tr > :nth-child(${n})`)
        .evaluateAll((all) => all.map((cell) => (cell.querySelector(".mean") ?? cell).textContent))
    )
      .map((text) => Number.parseFloat(text.replace("\u2212", "-")))
      .filter(Number.isFinite);
  const sort = (n) => table.locator("thead tr:last-child th").nth(n).getAttribute("aria-sort");
  const sorted = (values, sign) => [...values].sort((a, b) => sign * (a - b));
  const before = await column(2);
  assert.equal(await sort(1), "none");
  const button = table.locator("thead tr:last-child button").nth(1);
  await button.click();
  assert.equal(await sort(1), "descending");
  assert.deepEqual(await column(2), sorted(before, -1), "a click sorts downwards");
  await page.keyboard.press("Enter"); // the button still has the focus
  assert.equal(await sort(1), "ascending");
  assert.deepEqual(await column(2), sorted(before, 1), "the Enter key turns the order round");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Space");
  assert.equal(await sort(0), "ascending");
  assert.equal(await sort(1), "none");
  const names = await table.locator("tbody tr > th").allTextContents();
  assert.deepEqual(
    names,
    [...names].sort((a, b) => a.localeCompare(b, "en", { numeric: true })),
  );
  const chart = page.locator("#results svg.chart").first();
  if (await chart.count()) {
    const rows = await chart.locator(".row-name").allTextContents();
    assert.deepEqual(
      rows,
      names.filter((name) => rows.includes(name)),
      "the picture follows the table",
    );
  }
}

// One dot per run, and the other epoch at a click.
async function checkEpochs(page) {
  const results = page.locator("#results .block").first();
  const last = results.locator("input[value=last]");
  if ((await last.count()) === 0) return;
  const model = await page.evaluate(() => JSON.parse(document.getElementById("model").textContent));
  const table = model.tables[0];
  const first = (of) => of.rows.map((row) => row.cells[0]).find((cell) => cell?.runs.length > 1);
  const dots = (of) =>
    of.rows.flatMap((row) => row.cells).reduce((sum, cell) => sum + (cell?.runs.length ?? 0), 0);
  const shows = async (of) => {
    await page.waitForFunction(
      (count) => document.querySelectorAll("#results .block:first-of-type .point").length === count,
      dots(of),
    );
    const figures = await results.locator("tbody td.ours .mean").allTextContents();
    assert.ok(figures.includes(first(of).mean.toFixed(1)), "the figures are of that epoch");
    const dead = of.rows.flatMap((row) => row.cells).filter((cell) => 2 * cell?.one_class > cell?.runs.length);
    const flaws = await results.locator("sup.flaw").allTextContents();
    assert.equal(flaws.filter((text) => text === "one class").length, dead.length, "dead networks are named");
  };
  await shows(table);
  await last.check();
  await shows(table.last);
  const chart = results.locator("svg.chart").first();
  await chart.focus();
  await page.keyboard.press("Home");
  assert.match(await page.locator(".tip").innerText(), /runs [\d.]+, /, "the tip lists the runs");
  await results.locator("input[value=kept]").check();
  await shows(table);
}

async function checkCharts(page) {
  const tip = page.locator(".tip");
  const chart = page.locator("#curves svg.chart").first();
  await chart.scrollIntoViewIfNeeded();
  await chart.hover();
  assert.ok(await tip.isVisible(), "hovering shows the tip");
  assert.match(await tip.innerText(), /epoch \d+/);
  await page.mouse.move(0, 0);
  assert.ok(!(await tip.isVisible()), "the tip goes with the pointer");
  await chart.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  assert.match(await tip.innerText(), /epoch 2\b/, "arrow keys walk over the epochs");
  await page.keyboard.press("Tab");
  assert.ok(!(await tip.isVisible()), "the tip goes with the focus");
  const labels = await page
    .locator("svg[role=img]")
    .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
  assert.ok(
    labels.every((label) => label && !/NaN|undefined|null/.test(label)),
    "every chart says in words what it shows",
  );
  const loss = page.locator("#curves input[value=loss]");
  await loss.check();
  await page.waitForFunction(() => document.querySelector("#curves svg.chart"));
  assert.match(await page.locator("#curves svg.chart").first().getAttribute("aria-label"), /validation loss/);
}

async function checkGallery(page) {
  const section = page.locator("#gallery");
  const status = section.locator("[aria-live]");
  const methods = section.locator("select").nth(1);
  const options = await methods.locator("option").allTextContents();
  assert.ok(options.length > 0);
  const before = await status.innerText();
  if (options.length > 1) {
    await methods.selectOption(options[1]);
    assert.notEqual(await status.innerText(), before);
    assert.ok((await status.innerText()).startsWith(options[1]));
  }
  await section.locator("button.graph").first().click();
  const dialog = section.locator("dialog");
  assert.ok(await dialog.isVisible());
  const first = await dialog.locator("strong").innerText();
  await page.keyboard.press("ArrowRight");
  if ((await section.locator("button.graph").count()) > 1)
    assert.notEqual(await dialog.locator("strong").innerText(), first);
  await page.keyboard.press("Escape");
  assert.ok(!(await dialog.isVisible()));
  assert.equal(await section.locator("svg [id], script").count(), 0, "drawings bring no ids and no scripts");
}

// Few epochs or many: an axis with two figures tells nothing between them.
async function checkTicks(page) {
  const counts = await page
    .locator("#curves svg.chart")
    .evaluateAll((all) => all.map((one) => one.querySelectorAll("text.tick.middle").length));
  assert.ok(counts.length > 0 && counts.every((count) => count >= 3), `epochs on the axes: ${counts}`);
}

// What was asked beside the test graphs stands beside accuracy, and below as colours.
async function checkAsked(page) {
  const heads = await page.locator("#results thead tr:last-child th").allTextContents();
  assert.deepEqual(
    heads.map((head) => head.trim()),
    ["method", "accuracy", "again", "twins", "accuracy", "again"],
  );
  const spans = await page
    .locator("#results tr.groups th")
    .evaluateAll((all) => all.map((one) => one.colSpan));
  assert.deepEqual(spans, [3, 2]);
  const cells = page.locator("#results tbody tr").first().locator("td");
  assert.deepEqual(await cells.allTextContents(), ["90.0", "10.0", "50.0", "80.0", "0.0"]);
  assert.match(await cells.nth(2).getAttribute("title"), /50.0 % pairs with both right.*75.0 % of single/);
  const maps = page.locator("#results svg.heat-map");
  assert.equal(await maps.count(), 2);
  assert.equal(await maps.nth(1).locator("g.cell").count(), 4);
  assert.equal(await maps.nth(1).locator("g.cell.none").count(), 2);
  assert.match(await maps.nth(1).locator("g.cell title").first().textContent(), /^gin\+d on one\n50.0 %/);
  assert.equal(await maps.locator("style, script, [style]").count(), 0, "maps bring no style");
  const ink = () =>
    maps
      .first()
      .locator("text:not([class])")
      .first()
      .evaluate((one) => [getComputedStyle(one).fill, getComputedStyle(document.body).color]);
  const [fill, text] = await ink();
  assert.equal(fill, text, "names are written in the page's ink");
}

// "Ours" stands beside a paper's figure only.
async function checkHeads(page) {
  const blocks = await page.locator("#results .block").evaluateAll((all) =>
    all.map((block) => ({
      heads: [...block.querySelectorAll("thead tr:last-child th")].map((head) => head.textContent),
      caption: block.querySelector("figcaption")?.textContent ?? "",
    })),
  );
  for (const { heads, caption } of blocks) {
    const paper = heads.includes("paper");
    assert.equal(heads.includes("ours"), paper, `${heads}`);
    if (!paper) assert.doesNotMatch(caption, /\bours?\b/);
  }
}

// Six classes: every matrix is seen whole, F1 of each class beside it; labels have a legend.
async function checkSixClasses(page) {
  assert.equal(await page.locator("header .findings p").count(), 1);
  const found = await page.locator("header").innerText();
  assert.ok(found.indexOf("svm-wl is the best") < found.indexOf("4 runs of 2 methods"), "findings come first");
  const tables = await page.locator("#errors table.confusion").evaluateAll((all) =>
    all.map((one) => ({
      hidden: one.closest(".scroller").scrollWidth - one.closest(".scroller").clientWidth,
      cut: [...one.querySelectorAll("tbody td")].filter((td) => td.scrollWidth > td.clientWidth + 1).length,
      top: one.getBoundingClientRect().top,
      f1: [...one.querySelectorAll("tbody td.f1")].map((td) => td.textContent),
    })),
  );
  assert.equal(tables.length, 2);
  for (const { hidden, cut } of tables) assert.deepEqual([hidden, cut], [0, 0], "six classes fit");
  assert.equal(tables[0].top, tables[1].top, "two matrices stand side by side");
  // Two runs: class 0 has 1280 hits, is 2 (640 + 165) marked by truth and 1280 by answers.
  const marked = 2 * (640 + 11 * 15) + 2 * 640;
  assert.equal(tables[0].f1[0], ((200 * 1280) / marked).toFixed(1));
  assert.equal(tables[0].f1.length, 6);
  for (const place of ["#gallery", "#data"]) {
    const legend = page.locator(`${place} .legend`);
    assert.equal(await legend.locator(".swatch.c0").count(), 1);
    assert.match(await legend.innerText(), /label: 3\s+and 1 rarer one without a colour/);
    const fill = (node) => getComputedStyle(node).fill;
    const ellipse = await page.locator(`${place} .node.c0 ellipse`).first().evaluate(fill);
    const swatch = await legend.locator(".swatch").evaluate((node) => getComputedStyle(node).backgroundColor);
    assert.equal(ellipse, swatch, "the legend has the colour of the drawing");
  }
}

async function checkTheme(page) {
  const look = () =>
    page.evaluate(() => [
      document.documentElement.dataset.theme,
      getComputedStyle(document.body).backgroundColor,
    ]);
  const [theme, colour] = await look();
  await page.locator("button.theme").click();
  const [other, otherColour] = await look();
  assert.notEqual(other, theme);
  assert.notEqual(otherColour, colour);
  await page.reload();
  assert.equal((await look())[0], other, "the choice outlives the page");
  await page.locator("button.theme").click();
}

async function checkWidths(page) {
  await page.locator("details").evaluateAll((all) =>
    all.forEach((one) => {
      one.open = true;
    }),
  );
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 60))));
    const wide = await page.evaluate(() => {
      const inside = (node) => node.closest(".scroller, pre, dialog, .skip") !== null;
      return [
        document.documentElement.scrollWidth - innerWidth,
        [...document.querySelectorAll("main *, nav *")]
          .filter((node) => !inside(node) && node.getBoundingClientRect().right > innerWidth + 1)
          .map((node) => node.outerHTML.slice(0, 80)),
      ];
    });
    assert.ok(wide[0] <= 0, `at ${width} px the page is ${wide[0]} px too wide`);
    assert.deepEqual(wide[1], [], `at ${width} px nothing sticks out`);
  }
}

// A heat map per model, a field per regime, its figures beside the pointer and for the keyboard.
async function checkMaps(page) {
  const model = await page.evaluate(() => JSON.parse(document.getElementById("model").textContent));
  const maps = page.locator("#maps svg.heat-map");
  assert.equal(
    await maps.count(),
    model.models.reduce((sum, one) => sum + one.pictures.length, 0),
  );
  for (const [i, one] of model.models.entries()) {
    if (one.pictures.length !== 1) continue;
    const cells = maps.nth(i).locator("g.cell");
    assert.equal(await cells.count(), one.cells.length, "a field per regime");
    assert.equal(
      await maps.nth(i).locator("g.cell.none").count(),
      one.cells.filter((cell) => cell.graphs === 0).length,
    );
    const shown = await cells.locator("text").allTextContents();
    const expected = one.cells.filter((cell) => cell.graphs > 0).map((cell) => (100 * cell.accuracy).toFixed(0));
    assert.deepEqual(shown.sort(), expected.sort(), "fields show their accuracy");
  }
  const figures = await page.locator("#maps figure").evaluateAll((all) =>
    all.map((one) => {
      const { left, right, top } = one.getBoundingClientRect();
      return { left, right, top, map: one.querySelector("svg").getBoundingClientRect().width };
    }),
  );
  for (const { left, right, map } of figures) {
    assert.ok(right - left <= map + 1, "a caption is no wider than its map");
  }
  const room = await page.locator("#maps .heat-maps").evaluate((all) => all.getBoundingClientRect().width);
  if (figures.length > 1 && figures[0].map + figures[1].map + 60 < room) {
    assert.equal(figures[0].top, figures[1].top, "maps stand side by side");
  }
  const filled = maps.first().locator("g.cell:not(.none)");
  const tip = page.locator(".tip");
  await filled.first().hover();
  assert.match(await tip.textContent(), /nodes.*accuracy [0-9.]+\u00a0%, 95\u00a0% interval.*class 0: \d+ of \d+ right/);
  const none = maps.first().locator("g.cell.none");
  if (await none.count()) {
    await none.first().hover();
    assert.match(await tip.textContent(), /no graph|too few|expected/);
  }
  await page.locator("h1").hover();
  assert.ok(await tip.isHidden(), "the tip goes with the pointer");
  await maps.first().locator("g.cell").first().focus();
  const before = await tip.textContent();
  await page.keyboard.press("ArrowRight");
  assert.ok(await tip.isVisible());
  assert.notEqual(await tip.textContent(), before, "arrow keys walk over the fields");
  await page.keyboard.press("Tab");
  assert.equal(await maps.first().locator("title, style").count(), 0, "no titles of the browser's own");
  if (model.models.some((one) => one.cells.some((cell) => cell.trained))) {
    assert.ok((await page.locator("#maps path.frame").count()) > 0, "the range of training is framed");
  }
}

async function checkPage(browser, file, colorScheme) {
  const problems = [];
  const url = pathToFileURL(path.resolve(file)).href;
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    colorScheme,
    reducedMotion: "reduce",
  });
  page.setDefaultTimeout(5000);
  page.on("request", (request) => {
    if (request.url() !== url && !request.url().startsWith("data:"))
      problems.push(`asks for ${request.url()}`);
  });
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(`says ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`throws ${error.message}`));
  const start = Date.now();
  await page.goto(url);
  const loaded = Date.now() - start;
  assert.ok(loaded < 3000, `took ${loaded} ms to open`);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), colorScheme);
  const has = await page.locator("section").evaluateAll((all) => all.map((one) => one.id));
  if (path.basename(file) === "sample.html") assert.deepEqual(has, SECTIONS);
  if (path.basename(file) === "regimes.html") assert.deepEqual(has, ["maps", "figures"]);
  if (path.basename(file) === "empty.html") assert.deepEqual(has, []);
  if (path.basename(file) === "partial.html") assert.deepEqual(has, ["results", "errors", "data", "repeat"]);
  assert.equal(
    await page.locator("section", { hasText: /NaN|undefined|\[object/ }).count(),
    0,
    "no figure is broken",
  );
  if (path.basename(file) === "six.html") {
    assert.deepEqual(has, ["results", "curves", "errors", "gallery", "data", "repeat"]);
    await checkSixClasses(page);
  }
  if (path.basename(file) === "asked.html") await checkAsked(page);
  if (has.includes("results")) await checkHeads(page);
  if (has.includes("curves")) await checkTicks(page);
  const links = await page.locator(".contents a").evaluateAll((all) => all.map((one) => one.hash.slice(1)));
  if (has.length > 1) assert.deepEqual(links, has);
  if (has.includes("results")) await checkSorting(page);
  if (has.includes("results")) await checkEpochs(page);
  if (has.includes("curves")) await checkCharts(page);
  if (has.includes("maps")) await checkMaps(page);
  if (has.includes("gallery")) await checkGallery(page);
  await checkTheme(page);
  await checkWidths(page);
  assert.deepEqual(problems, []);
  await page.close();
  console.log(`${path.basename(file)}, ${colorScheme}: ${has.length} sections, opened in ${loaded} ms`);
}

const browser = await chromium
  .launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] })
  .catch((error) => {
    console.log(`skipped: ${executablePath} does not start: ${error.message}`);
    process.exit(77);
  });
try {
  for (const file of files) await checkPage(browser, file, "light");
  await checkPage(browser, files[0], "dark");
  await checkPage(browser, files.at(-1), "dark");
} finally {
  await browser.close();
}
