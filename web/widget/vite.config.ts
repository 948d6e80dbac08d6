import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";

/** The words of each language as a file of its own: assets/text.fr.json. */
const languages: Plugin = {
  name: "languages",
  generateBundle() {
    const folder = join(import.meta.dirname, "../../internal/words/chat");
    for (const name of readdirSync(folder)) {
      const words: unknown = JSON.parse(readFileSync(join(folder, name), "utf8"));
      this.emitFile({ type: "asset", fileName: `assets/text.${name}`, source: JSON.stringify(words) });
    }
  },
};

const server = process.env.PARLEY_SERVER ?? "http://127.0.0.1:8080";

// Two builds: the page in the frame, and (--mode tag) the script that shops put
// into their pages. The built files are committed, so their names do not change
// with their content: no hashes. The server answers them with an ETag.
export default defineConfig(({ mode }) => {
  const target = ["chrome123", "firefox121", "safari17.5"];
  if (mode === "tag") {
    return {
      publicDir: false,
      build: { target, emptyOutDir: false, reportCompressedSize: false, lib: { entry: "src/tag/tag.ts", formats: ["iife"], name: "ParleyTag", fileName: () => "widget.js" } },
    };
  }
  return {
    base: "/widget/",
    plugins: [languages],
    build: {
      target,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      rolldownOptions: {
        input: "frame.html",
        // Between two versions of the server, a name that is gone fails, while a short one would be something else.
        output: { minifyInternalExports: false, entryFileNames: "assets/frame.js", chunkFileNames: "assets/chat.js", assetFileNames: "assets/chat[extname]" },
      },
    },
    server: { proxy: { "/v1": server, "/widget/assets/text.": server } },
  };
});
