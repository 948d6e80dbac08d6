// Prints the size of the dashboard's first load, and fails the build if it has grown too large: the scripts of
// each language's page with their static imports, compressed as the server does.
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { gzipSync } from "node:zlib";

const dist = join(import.meta.dirname, "..", "dist");
/** In bytes. */
const limit = 200_000;

const read = (name) => readFileSync(join(dist, name), "utf8");
const found = (text, pattern) => [...text.matchAll(pattern)].map(([, name]) => name);
for (const page of ["index.html", "index.de.html"]) {
  const scripts = new Set(found(read(page), /(?:src|href)="\/(assets\/[\w./-]+\.js)"/g));
  for (const name of scripts) {
    for (const imported of found(read(name), /(?:\bfrom|\bimport) ?["'`]\.\/([\w.-]+\.js)["'`]/g)) scripts.add(posix.join(posix.dirname(name), imported));
  }
  const size = [...scripts].reduce((sum, name) => sum + gzipSync(read(name), { level: 6 }).length, 0);
  console.log(`${page} (${[...scripts].join(", ")}): ${size} of ${limit} bytes, compressed`);
  if (scripts.size < 3 || size > limit) process.exitCode = 1;
}
