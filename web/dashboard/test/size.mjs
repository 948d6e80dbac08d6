// Prints the size of the dashboard's first load, and fails the build if it has grown too large: the scripts of
// index.html with their static imports, compressed as the server does.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const dist = join(import.meta.dirname, "..", "dist");
/** In bytes. */
const limit = 200_000;

const read = (name) => readFileSync(join(dist, name), "utf8");
const found = (text, pattern) => [...text.matchAll(pattern)].map(([, name]) => name);
const scripts = new Set(found(read("index.html"), /(?:src|href)="\/(assets\/[\w.-]+\.js)"/g));
for (const name of scripts) {
  for (const imported of found(read(name), /(?:\bfrom|\bimport) ?["'`]\.\/([\w.-]+\.js)["'`]/g)) scripts.add(`assets/${imported}`);
}
const size = [...scripts].reduce((sum, name) => sum + gzipSync(read(name), { level: 6 }).length, 0);
console.log(`first load (${[...scripts].join(", ")}): ${size} of ${limit} bytes, compressed`);
if (scripts.size < 2 || size > limit) process.exitCode = 1;
