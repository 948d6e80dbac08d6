// If the watch missed violations, every other test would pass.
import assert from "node:assert/strict";
import { openSuite } from "./start.mjs";

const { scene } = await openSuite();

scene("the watch sees what a page must not do", { allow: [/./s] }, async ({ page, faults }) => {
  const seen = async (what, act) => {
    faults.length = 0;
    const heard = page.waitForEvent("console", { predicate: (message) => message.text() === "done" });
    await act();
    await page.evaluate(() => console.log("done"));
    await heard;
    assert.ok(
      faults.some((fault) => what.test(fault)),
      `${what} was not seen: ${faults.join(", ")}`,
    );
  };
  await page.goto("/inbox?status=open");
  await page.getByRole("heading", { name: "All open" }).waitFor();
  await seen(/^policy: script-src/, () =>
    page.evaluate(
      () =>
        new Promise((done) => {
          document.addEventListener("securitypolicyviolation", done, { once: true });
          document.head.append(Object.assign(document.createElement("script"), { textContent: "1" }));
        }),
    ),
  );
  await seen(/^dialog: hello/, () => page.evaluate(() => alert("hello")));
  await seen(/^console: an error/, () => page.evaluate(() => console.error("an error")));
  await seen(/^request: http:\/\/other\.example/, () => page.evaluate(() => void (new Image().src = "http://other.example/")));
  await seen(/^script: Error: thrown/, async () => {
    const thrown = page.waitForEvent("pageerror");
    await page.evaluate(() =>
      setTimeout(() => {
        throw new Error("thrown");
      }),
    );
    await thrown;
  });
});
