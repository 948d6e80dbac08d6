// Finds the browser of the tests.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The path of the browser, or undefined if there is none. The variable CHROMIUM names another. */
export function findChromium() {
  const places = process.env.CHROMIUM ? [process.env.CHROMIUM] : (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "chromium"));
  return places.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
