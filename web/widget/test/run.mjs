// Runs the tests of the widget in a real browser. Runner, server, browser and
// the watch over the pages are the dashboard's.
//
//   node run.mjs ../../../bin/parley [files]
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";

const [binary, ...chosen] = process.argv.slice(2);
const files = chosen.length > 0 ? chosen : readdirSync(import.meta.dirname).filter((name) => name.endsWith(".test.mjs"));
process.argv.splice(2, Infinity, ...(binary ? [resolve(binary), ...files.map((name) => join(import.meta.dirname, name))] : []));
await import("../../dashboard/test/run.mjs");
