// The tag for a shop's pages, and the validation of the widget's settings.
import { texts } from "./texts";

/** The tag of an inbox on a server. */
export function tagOf(server: string, inboxId: string): string {
  return `<script src="${server}/widget.js" data-inbox="${inboxId}" async></script>`;
}

/** How a page identifies its customer. Calls from before the tag has loaded wait in the queue. */
export const identifySnippet = `<script>
  window.Parley ??= function () { (Parley.q ??= []).push(arguments) };
  Parley("identify", { token: "the token that your server has signed" });
</script>`;

/** The websites in a text, one per line; the address of a page stands for its website. */
export function originsOf(text: string): string[] {
  const lines = text.split(/[\n,]/).map((line) => line.trim());
  return [...new Set(lines.filter(Boolean).map(originOf))];
}

/** Returns what is wrong with the websites in a text, if anything. */
export function originsFault(text: string): string | undefined {
  const wrong = originsOf(text).find((line) => !/^(https?|capacitor|ionic):\/\/[^/\s]+$/.test(line));
  return wrong && texts.widgettag.noAddress(wrong);
}

/** A text that is not an address stays as it is. Some browsers accept blanks in a host name as %20. */
function originOf(line: string): string {
  if (/\s/.test(line)) return line;
  try {
    const { protocol, origin } = new URL(line.includes("://") ? line : `https://${line}`);
    return protocol === "https:" || protocol === "http:" ? origin : line;
  } catch {
    return line;
  }
}
