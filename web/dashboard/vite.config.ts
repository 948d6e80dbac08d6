import react from "@vitejs/plugin-react";
import { basename, dirname } from "node:path";
import { defineConfig } from "vitest/config";
import { languages, translated } from "./languages";

// The built files are committed, so their names must not change with their
// content: no hashes, and a chunk is called after the folder that it comes
// from. The server answers them with an ETag.
export default defineConfig(({ mode }) => {
  // --mode de builds the German pages beside the English ones, into assets/de.
  const language = mode in languages ? mode : "";
  const folder = language === "" ? "assets" : `assets/${language}`;
  return {
    plugins: [react(), ...(language === "" ? [] : [translated(language)])],
    css: { modules: { generateScopedName: "[name]_[local]" } },
    build: {
      emptyOutDir: language === "",
      target: ["chrome123", "firefox121", "safari17.5"],
      cssCodeSplit: false,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      rolldownOptions: {
        output: {
          // What the first load needs is one script, and what several later parts share another.
          codeSplitting: {
            groups: [
              // These sheets come before those of the pages.
              { name: "kit", test: /\/src\/(?:\w+|kit\/\w+\.module)\.css$/, priority: 3 },
              { name: "first", tags: ["$initial"], priority: 2 },
              { name: "shared", minShareCount: 2, priority: 1 },
            ],
          },
          entryFileNames: `${folder}/app.js`,
          chunkFileNames: (chunk) => {
            const path = chunk.facadeModuleId ?? "";
            const name = basename(path).startsWith("index.") ? basename(dirname(path)) : chunk.name;
            return `${folder}/${name}.js`;
          },
          assetFileNames: (asset) => (asset.names[0]?.endsWith(".css") ? "assets/app.css" : "assets/[name][extname]"),
        },
      },
    },
    test: { include: ["src/**/*.test.{ts,tsx}"] },
    server: { proxy: { "/v1": process.env.PARLEY_SERVER ?? "http://127.0.0.1:8080" } },
  };
});
