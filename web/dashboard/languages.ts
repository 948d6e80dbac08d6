import { existsSync } from "node:fs";
import type { Plugin } from "vite";

/** The languages of the dashboard besides English, each a build of its own. */
export const languages: Record<string, { noScript: string }> = {
  de: { noScript: "Das Dashboard benötigt JavaScript." },
};

/**
 * Builds the pages in another language: every `texts.ts` and `*.texts.ts` is replaced by the file of the language beside
 * it, and the page is `index.<language>.html`.
 */
export function translated(language: string): Plugin {
  const noScript = languages[language]?.noScript;
  if (noScript === undefined) throw new Error(`the dashboard has no language ${language}`);
  return {
    name: "translated",
    enforce: "pre",
    async resolveId(source, importer, options) {
      if (!importer || !/(?:^|[/.])texts$/.test(source)) return null;
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      if (!found?.id.endsWith("texts.ts")) return null;
      const other = found.id.replace(/\.ts$/, `.${language}.ts`);
      // A catalogue may take what all languages share from the English one.
      if (importer === other) return found;
      if (!existsSync(other)) this.error(`${found.id} has no translation: ${other} is missing`);
      return other;
    },
    transformIndexHtml: (html) =>
      html.replace('lang="en"', `lang="${language}"`).replace("/assets/app.webmanifest", `/assets/${language}/app.webmanifest`).replace("The dashboard needs JavaScript.", noScript),
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const page = bundle["index.html"];
        if (page) page.fileName = `index.${language}.html`;
      },
    },
  };
}
