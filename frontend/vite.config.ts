import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// Names without hashes: the server sends an etag with each file, and the built files are committed.
export default defineConfig({
  plugins: [svelte()],
  base: "/assets/",
  build: {
    outDir: "../src/workings/web/static",
    emptyOutDir: true,
    target: ["es2023", "chrome123", "firefox128", "safari17.5"],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: true,
    rolldownOptions: {
      output: {
        entryFileNames: "app.js",
        chunkFileNames: "[name].js",
        assetFileNames: "app[extname]",
      },
    },
  },
  test: { include: ["tests/**/*.test.ts"], environment: "node" },
});
