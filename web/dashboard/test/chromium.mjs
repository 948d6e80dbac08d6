// Finds the browser of the tests.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * The path of the browser, or undefined if there is none. The variable CHROMIUM names another. Where its variant without
 * windows is installed it is taken, which needs a third less of the processor; it has no notifications and opens no
 * tabs for downloads, so what tests those asks for the one with `windows`.
 */
export function findChromium({ windows = false } = {}) {
  const names = windows ? ["chromium"] : ["chromium-headless-shell", "chromium"];
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
