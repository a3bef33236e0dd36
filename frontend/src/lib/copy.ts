/** Copies a text, and says so. */
import type { App } from "./app.svelte";

export async function copy(app: App, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    app.tell(app.say("web.copied"));
  } catch {
    app.tell(app.say("web.copy.by-hand"));
  }
}
