// Prints the sizes of the built scripts, and fails if they have grown too
// large: every page of every shop loads the tag and the frame, and every
// customer who opens the chat the rest.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const dist = join(import.meta.dirname, "..", "dist");
const zipped = (name) => gzipSync(readFileSync(join(dist, name)), { level: 6 }).length; // like the server
const sum = (names) => names.reduce((size, name) => size + zipped(name), 0);

// The words of one language, whichever has most of them.
const [words] = readdirSync(join(dist, "assets"))
  .filter((name) => name.startsWith("text."))
  .map((name) => `assets/${name}`)
  .sort((a, b) => zipped(b) - zipped(a));
const before = ["widget.js", "frame.html", "assets/frame.js", words];
// The frame must not load the rest by itself.
const html = readFileSync(join(dist, "frame.html"), "utf8");
if (html.includes("assets/chat")) throw new Error("the frame loads the views before they are seen");
const limits = [
  ["the tag", sum(["widget.js"]), 5_000],
  ["before the click", sum(before), 19_000],
  ["after it", sum([...before, "assets/chat.js", "assets/chat.css"]), 60_000],
];
for (const [name, size, limit] of limits) {
  console.log(`${name}: ${size} of ${limit} bytes, zipped`);
  if (size >= limit) process.exitCode = 1;
}
