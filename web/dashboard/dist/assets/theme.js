// Sets the chosen theme before the first paint; a script of its own because the
// policy of the page allows no inline one.
try {
  const theme = localStorage.getItem("parley.theme");
  if (theme === "light" || theme === "dark") {
    document.documentElement.dataset.theme = theme;
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) meta.media = meta.dataset.scheme === theme ? "all" : "not all";
  }
} catch {
  // Without storage the system's theme applies.
}
