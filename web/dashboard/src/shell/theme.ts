import { createCell, useCell } from "../sync/cell";

export type Theme = "system" | "light" | "dark";
const key = "parley.theme";

const chosen = createCell<Theme>((document.documentElement.dataset.theme as Theme | undefined) ?? "system");

/** Applies a theme and remembers it for this browser; assets/theme.js sets it before the first paint. */
export function setTheme(theme: Theme) {
  chosen.set(theme);
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(key, theme);
  } catch {
    // Without storage it lasts as long as the page.
  }
}

export function useTheme(): Theme {
  return useCell(chosen, (theme) => theme);
}
