// Finds catalogues of the dashboard without their translation, the file `….de.ts` beside them.
import { existsSync } from "node:fs";
import { basename } from "node:path";

const languages = { de: "German" };

export default {
  meta: {
    type: "problem",
    schema: [],
    messages: {
      missing:
        'This catalogue has no {{language}}. Write {{other}} beside it: `import type { texts as en } from "./{{name}}"; export const texts = { … } satisfies typeof en;`, addressing people formally, with the words of the catalogues that exist.',
    },
  },
  create: (context) => ({
    Program(node) {
      for (const [code, language] of Object.entries(languages)) {
        const other = context.filename.replace(/\.ts$/, `.${code}.ts`);
        if (!existsSync(other)) context.report({ node, messageId: "missing", data: { language, other: basename(other), name: basename(context.filename, ".ts") } });
      }
    },
  }),
};
