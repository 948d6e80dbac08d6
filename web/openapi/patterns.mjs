// Compiles every pattern of the documents like browsers do: with the flag u,
// like validators of JSON Schema, and with v, like the pattern attribute of a
// field.
import { readFile } from "node:fs/promises";

let found = 0;
const faults = [];
for (const name of ["openapi", "dashboard", "widget"]) {
  const text = await readFile(new URL(`../../api/${name}.yaml`, import.meta.url), "utf8");
  for (const [, single, double] of text.matchAll(/\bpattern: (?:'((?:[^']|'')*)'|("(?:[^"\\]|\\.)*"))/g)) {
    found++;
    const pattern = double ? JSON.parse(double) : single.replaceAll("''", "'");
    for (const flag of ["u", "v"]) {
      try {
        new RegExp(pattern, flag);
      } catch (error) {
        faults.push(`${name}.yaml: with the flag ${flag}: ${error.message}`);
      }
    }
  }
}
if (found < 20) faults.push(`only ${found} patterns were found`);
for (const fault of faults) console.error(fault);
process.exit(faults.length > 0 ? 1 : 0);
