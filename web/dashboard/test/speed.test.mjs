// How fast the inbox loads: Lighthouse, the best of three runs, and the size of
// the script that the first page loads.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { findChromium } from "./chromium.mjs";
import { flags, signIn, startServer } from "./start.mjs";

const dist = join(import.meta.dirname, "..", "dist");

test("the first page loads less than 250 kB of script, gzipped", () => {
  const loaded = new Set();
  const follow = (path) => {
    if (loaded.has(path)) return;
    loaded.add(path);
    // Static imports are loaded with a module; import() is not.
    for (const [, next] of readFileSync(join(dist, path), "utf8").matchAll(/(?:^|[;}\s])(?:import|export)\s*(?:[\w$*{][^"'()]*?from\s*)?["']\.\/([^"']+\.js)["']/g)) follow(`assets/${next}`);
  };
  const index = readFileSync(join(dist, "index.html"), "utf8");
  for (const [, path] of index.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)) follow(path);
  assert.ok(loaded.size > 0, "index.html loads no script");
  const size = [...loaded].reduce((sum, path) => sum + gzipSync(readFileSync(join(dist, path)), { level: 9 }).length, 0);
  console.log(`first load: ${[...loaded].join(", ")}: ${size} bytes gzipped`);
  assert.ok(size > 10_000 && size < 250_000, `${size} bytes`);
});

const installed = existsSync(join(import.meta.dirname, "node_modules", "lighthouse"));
if (!installed && process.env.CI === "true") throw new Error("lighthouse is not installed: npm ci in web/dashboard/test");

test("Lighthouse rates the inbox 95 or more", { skip: installed ? false : "lighthouse is not installed: npm ci in web/dashboard/test", timeout: 600_000 }, async () => {
  const { default: lighthouse, desktopConfig } = await import("lighthouse");
  const server = await startServer();
  const port = await freePort();
  const browser = await chromium.launch({ executablePath: findChromium(), args: [...flags, `--remote-debugging-port=${port}`] });
  try {
    const token = await signIn(server.origin, server.login, server.password);
    const scores = { performance: [], accessibility: [] };
    const reached = (name) => Math.max(0, ...scores[name]) >= 95;
    // Other work of the machine can only make it look slower, so one good run is enough.
    for (let run = 0; run < 3 && !Object.keys(scores).every(reached); run++) {
      const { lhr } = await lighthouse(
        `${server.origin}/inbox?status=open`,
        // The stream stays open, so the page is never idle for Lighthouse, which would wait 45 s.
        { port, maxWaitForLoad: 10_000, output: "json", logLevel: "error", onlyCategories: Object.keys(scores), extraHeaders: { Cookie: `__Host-parley=${token}` } },
        desktopConfig,
      );
      assert.equal(new URL(lhr.finalDisplayedUrl).pathname, "/inbox", "the inbox was not measured");
      for (const name of Object.keys(scores)) scores[name].push(Math.round(lhr.categories[name].score * 100));
      const metrics = ["first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift", "speed-index"];
      console.log(`run ${run + 1}: ${metrics.map((id) => `${id} ${lhr.audits[id].displayValue}`).join(", ")}`);
      if (run === 0) {
        for (const { id, weight } of lhr.categories.accessibility.auditRefs)
          if (weight > 0 && lhr.audits[id].score !== null && lhr.audits[id].score < 1) console.log(`accessibility: ${lhr.audits[id].title}`);
      }
    }
    console.log(`performance ${scores.performance.join(", ")}; accessibility ${scores.accessibility.join(", ")}`);
    for (const [name, all] of Object.entries(scores)) assert.ok(reached(name), `${name}: ${all.join(", ")}`);
  } finally {
    await browser.close();
    await server.remove();
  }
});

async function freePort() {
  const { createServer } = await import("node:net");
  const server = createServer();
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}
