// Runs the tests of the dashboard in a real browser.
//
//   node run.mjs ../../../bin/parley [files]
//
// SHORT=true leaves out the files that go deeper into single pages, and shortens
// some others: all of them take a quarter of an hour on two processors.
//
// It builds nothing. Without Chromium it says so and runs nothing, or fails if
// CI=true.
import { readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { findChromium } from "./chromium.mjs";
import { as, client, signIn, startServer, until } from "./start.mjs";

const [binary, ...chosen] = process.argv.slice(2);
if (!binary) {
  console.error("usage: node run.mjs <the binary> [files]");
  process.exit(2);
}
if (!findChromium()) {
  console.error("SKIPPED: there is no chromium on the PATH (CHROMIUM=<path> names another). Nothing of the dashboard was tested.");
  process.exit(process.env.CI === "true" ? 1 : 0);
}
process.env.PARLEY = JSON.stringify({ binary: resolve(binary) });
// The demo's data is created once; each test file serves a copy.
const filling = await startServer();
// One of its phones writes a welcome, which belongs to that data.
const program = client(filling.origin, { Authorization: `Bearer ${filling.key}` });
await until("the welcome", async () => (await program.get("/v1/public/conversations?limit=1")).data.some(({ inbox, unreadCount }) => inbox.channelType === "chatapp" && unreadCount === 2), 60_000);
// Customers of the scenes write to people, and members without help: the scenes about models enter one.
const admin = client(filling.origin, as(await signIn(filling.origin, filling.login, filling.password)));
for (const { id } of (await program.get("/v1/public/products")).data) await admin.patch(`/v1/dashboard/products/${id}/agent`, { mode: "off" });
for (const { id } of (await admin.get("/v1/dashboard/model-providers")).data) await admin.delete(`/v1/dashboard/model-providers/${id}`);
await filling.end("SIGTERM");
const { data, login, password, key } = filling;
process.env.PARLEY = JSON.stringify({ binary: resolve(binary), filled: { data, account: { login, password, key } } });

const here = import.meta.dirname;
// Measurements run alone: several browsers at once would distort each other.
const alone = ["speed.test.mjs"];
// The longest start first, so that all end together.
const longest = ["axe", "markup", "articles", "outbox", "flow", "inbox", "daily", "edges", "requests", "keyboard", "numbers", "large"].map((name) => `${name}.test.mjs`);
const deeper = "app articles assist daily density drafts edges find gaps large later leaving line mail meanwhile numbers outbox people print reach requests settings threads undosend watch welcome";
const found = readdirSync(here).filter((name) => name.endsWith(".test.mjs") && !(process.env.SHORT === "true" && deeper.split(" ").includes(name.replace(".test.mjs", ""))));
const files = (chosen.length > 0 ? chosen : found).sort((a, b) => rank(a) - rank(b)).map((name) => resolve(here, name));
const isAlone = (path) => alone.some((name) => path.endsWith(`/${name}`));

function rank(name) {
  const place = longest.indexOf(name);
  return place < 0 ? longest.length : place;
}

async function play(some, concurrency) {
  if (some.length === 0) return;
  const tests = run({ files: some, concurrency, timeout: 900_000 });
  tests.on("test:fail", () => (process.exitCode = 1));
  await new Promise((ended) => tests.compose(spec).on("end", ended).pipe(process.stdout, { end: false }));
}

await play(
  files.filter((path) => !isAlone(path)),
  3, // on two processors: a scene waits a quarter of its time
);
await play(files.filter(isAlone), 1);
await rm(data, { recursive: true });
