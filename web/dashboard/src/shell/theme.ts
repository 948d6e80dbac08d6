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
  for (const bar of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) bar.media = barMedia(theme, bar.dataset.scheme ?? "");
  writeStored(key, theme);
}

/** When the bar of the window or of the phone has the colour of a scheme. */
function barMedia(theme: Theme, scheme: string): string {
  if (theme === "system") return `(prefers-color-scheme: ${scheme})`;
  return theme === scheme ? "all" : "not all"; // eslint-disable-line parley/bare-strings -- a media query
}

export function useTheme(): Theme {
  return useCell(chosen, (theme) => theme);
}
