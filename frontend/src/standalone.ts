/** One page in a file: see `standalone.py` and `alone.py`, which put the data beside it. */
import { mount } from "svelte";
import Alone from "./Alone.svelte";
import AloneMap from "./AloneMap.svelte";
import { App } from "./lib/app.svelte";
import { embeddedIn, serverOf } from "./lib/embedded";
import { Example } from "./lib/state.svelte";
import { Model } from "./model/model.svelte";

async function start(): Promise<void> {
  const [holder, target] = [document.getElementById("workings-standalone"), document.getElementById("app")];
  if (holder === null || target === null) return;
  const data = await embeddedIn(holder);
  const app = new App(serverOf(data), data.lang, true);
  await app.speak(data.lang);
  if ("map" in data) {
    app.route = "model";
    const model = new Model(app);
    await model.visit(location.hash);
    target.replaceChildren();
    mount(AloneMap, { target, props: { app, model } });
    return;
  }
  const example = new Example(app);
  await example.visit(location.hash);
  target.replaceChildren();
  mount(Alone, { target, props: { app, example } });
}

void start();
