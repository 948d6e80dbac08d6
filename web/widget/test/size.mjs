// Prints the sizes of the built scripts, and fails if they have grown too
// large: every page of every shop loads the tag, and every customer the frame.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const dist = join(import.meta.dirname, "..", "dist");
const zipped = (name) => gzipSync(readFileSync(join(dist, name)), { level: 6 }).length; // like the server

const sizes = { "widget.js": zipped("widget.js"), "assets/frame.js": zipped("assets/frame.js"), "assets/frame.css": zipped("assets/frame.css") };
const limits = [
  ["the tag", sizes["widget.js"], 5_000],
  ["all scripts", sizes["widget.js"] + sizes["assets/frame.js"], 30_000],
  ["scripts and styles", Object.values(sizes).reduce((sum, size) => sum + size), 36_000],
];
for (const [name, size, limit] of limits) {
  console.log(`${name}: ${size} of ${limit} bytes, zipped`);
  if (size >= limit) process.exitCode = 1;
}
