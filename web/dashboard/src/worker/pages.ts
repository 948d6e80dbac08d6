/** The first path elements of the dashboard's pages; internal/dashboard/pages.go has the same list. */
const roots: readonly string[] = ["", "inbox", "search", "contacts", "companies", "articles", "reports", "settings", "signin", "invite", "welcome", "print", "styleguide"];

/** Whether a page of the dashboard is at the path. Help centers, the chat and the API's reference have the same origin. */
export function isPage(path: string): boolean {
  return roots.includes(path.split("/")[1] ?? "");
}
