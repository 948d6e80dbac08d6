import { defineConfig } from "vite";

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
    server: { proxy: { "/v1": process.env.PARLEY_SERVER ?? "http://127.0.0.1:8080" } },
  };
});
