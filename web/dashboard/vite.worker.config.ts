import { defineConfig } from "vite";
import { languages, translated } from "./languages";

// The service worker of the installed app, one file for each language: a script
// without imports, because not every browser loads modules there. It is at the
// root, because its folder is as much as it may reach.
export default defineConfig(({ mode }) => {
  const language = mode in languages ? mode : "";
  return {
    plugins: language === "" ? [] : [translated(language)],
    publicDir: false,
    build: {
      emptyOutDir: false,
      target: ["chrome123", "firefox121", "safari17.5"],
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: "src/worker/worker.ts",
        output: { format: "iife", entryFileNames: language === "" ? "worker.js" : `worker.${language}.js` },
      },
    },
  };
});
