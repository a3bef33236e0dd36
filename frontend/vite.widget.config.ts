import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// One module that a notebook loads (anywidget), its styles within.
export default defineConfig({
  plugins: [svelte()],
  publicDir: false,
  build: {
    outDir: "../src/workings/web/static",
    emptyOutDir: false,
    target: ["es2023", "chrome123", "firefox128", "safari17.5"],
    modulePreload: { polyfill: false },
    lib: { entry: "src/widget.ts", formats: ["es"], fileName: () => "widget.js" },
  },
});
