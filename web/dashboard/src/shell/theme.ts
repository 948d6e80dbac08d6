import { writeStored } from "../kit/stored";
import { createCell, useCell } from "../sync/cell";

export type Theme = "system" | "light" | "dark";
const key = "parley.theme";

const chosen = createCell<Theme>((document.documentElement.dataset.theme as Theme | undefined) ?? "system");

/** Applies a theme and stores it in this browser; assets/theme.js sets it before the first paint. */
export function setTheme(theme: Theme) {
  chosen.set(theme);
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  writeStored(key, theme);
}

export function useTheme(): Theme {
  return useCell(chosen, (theme) => theme);
}
