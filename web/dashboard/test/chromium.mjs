// Finds the browser of the tests.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** What the browser is called. The first has no windows, and needs a third less processor time. */
const names = ["chromium-headless-shell", "chromium"];

/** The path of the browser, or undefined if there is none. The variable CHROMIUM names another. */
export function findChromium() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const places = process.env.CHROMIUM ? [process.env.CHROMIUM] : names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return places.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
