// Generates the types of the front end from the schemas of the three documents:
// one file, because the documents share their schemas and names are unique
// across them. With --check it writes nothing and fails if the file is not up
// to date.
import { readFile, writeFile } from "node:fs/promises";
import { load } from "js-yaml";
import openapiTS, { astToString } from "openapi-typescript";

const target = new URL("../shared/api.gen.ts", import.meta.url);
const head = "// Generated from api/*.yaml by `make types`; do not edit.\n\n";

/**
 * Keywords without meaning for the compiler and with little for a reader. The discriminator would replace the constants
 * that are there already.
 */
const passedOver = new Set(["examples", "example", "format", "discriminator"]);

function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).flatMap(([name, part]) => (passedOver.has(name) && !isSchema(part) ? [] : [[name, plain(part)]])));
}

/** A property may have the name of a keyword. */
function isSchema(part) {
  return part !== null && typeof part === "object" && ("type" in part || "$ref" in part || "oneOf" in part);
}

const schemas = {};
for (const name of ["openapi", "dashboard", "widget"]) {
  const text = await readFile(new URL(`../../api/${name}.yaml`, import.meta.url), "utf8");
  const document = load(text.replaceAll(/\b(?:openapi|dashboard)\.yaml#/g, "#"));
  for (const [schema, value] of Object.entries(document.components.schemas)) {
    if (schemas[schema]) throw new Error(`${name}.yaml: another document has a schema ${schema} too`);
    schemas[schema] = plain(value);
  }
}

const nodes = await openapiTS({ openapi: "3.1.0", info: { title: "Parley", version: "1" }, paths: {}, components: { schemas } }, { rootTypes: true, rootTypesNoSchemaPrefix: true });
const written = head + astToString(nodes);
if (!process.argv.includes("--check")) await writeFile(target, written);
else if ((await readFile(target, "utf8")) !== written) {
  console.error("web/shared/api.gen.ts is not what the documents say; run make types");
  process.exit(1);
}
