import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// One classic script that a file on disk holds; it shares app.css with the app, which must be built before.
export default defineConfig({
  plugins: [svelte()],
  publicDir: false,
  build: {
    outDir: "../src/workings/web/static",
    emptyOutDir: false,
    target: ["es2023", "chrome123", "firefox128", "safari17.5"],
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: "src/standalone.ts",
      output: { format: "iife", entryFileNames: "standalone.js" },
    },
  },
});
