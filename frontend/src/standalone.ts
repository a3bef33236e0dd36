/** The example page in a file: see `standalone.py`, which puts the data beside it. */
import { mount } from "svelte";
import Alone from "./Alone.svelte";
import { App } from "./lib/app.svelte";
import { embeddedIn, serverOf } from "./lib/embedded";
import { Example } from "./lib/state.svelte";

async function start(): Promise<void> {
  const [holder, target] = [document.getElementById("workings-standalone"), document.getElementById("app")];
  if (holder === null || target === null) return;
  const data = await embeddedIn(holder);
  const app = new App(serverOf(data), data.lang, true);
  await app.speak(data.lang);
  const example = new Example(app);
  await example.visit(location.hash);
  target.replaceChildren();
  mount(Alone, { target, props: { app, example } });
}

void start();
