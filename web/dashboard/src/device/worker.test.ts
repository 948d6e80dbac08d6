import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isPage } from "../worker/pages";

test("the worker knows the dashboard's pages, and no others", () => {
  const source = readFileSync(join(import.meta.dirname, "../../../../internal/dashboard/pages.go"), "utf8");
  const roots = [...(source.match(/func pageRoots\(\)[^}]*\{([^}]*)\}/)?.[1] ?? "").matchAll(/"([^"]*)"/g)].map(([, root]) => root);
  expect(roots.length).toBeGreaterThan(10);
  for (const root of roots) expect(isPage(`/${root ?? ""}`), root).toBe(true);
  expect(isPage("/inbox/abc")).toBe(true);
  for (const path of ["/help/shop", "/docs", "/v1/files/x", "/widget.js", "/c/x", "/inboxes"]) expect(isPage(path), path).toBe(false);
});
