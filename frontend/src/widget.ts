/** The pages as a widget of a notebook (anywidget); Python's side is `workings/web/widget.py`. */
import { mount, unmount } from "svelte";
import base from "./styles/base.css?inline";
import example from "./styles/example.css?inline";
import matrix from "./styles/matrix.css?inline";
import model from "./styles/model.css?inline";
import panel from "./styles/panel.css?inline";
import shell from "./styles/shell.css?inline";
import own from "./styles/widget.css?inline";
import Widget from "./Widget.svelte";
import { Api } from "./lib/api";
import { App } from "./lib/app.svelte";
import { type Channel, overChannel } from "./lib/comm";
import { watchGround } from "./lib/ground";
import { Example } from "./lib/state.svelte";
import type { Lang } from "./lib/types";
import { Model } from "./model/model.svelte";

interface Start {
  lang: Lang;
  page: "model" | "example";
  hash: string;
  /** What to do where nobody answers, as in a notebook that was saved and opened again. */
  asleep: string;
}

type Notebook = Channel & { get(name: "start"): Start };

/** Styles of a page, for a part of one: its root is the element that it stands in. */
function within(css: string): string {
  return css
    .replace(/:root\[data-theme="?(\w+)"?\]/g, ':host([data-theme="$1"])')
    .replace(/:root\b/g, ":host")
    .replace(/(^|[},\s])body\s*\{/g, "$1:host {")
    .replace(/@media\s*(?=\((max-)?width)/g, "@container "); // what counts is its own width, not the window's
}

function render({ model: notebook, el }: { model: Notebook; el: HTMLElement }): () => void {
  const start = notebook.get("start");
  const host = document.createElement("div");
  const shadow = host.attachShadow({ mode: "open" });
  const style = document.createElement("style");
  style.textContent = within([base, shell, matrix, example, panel, model, own].join("\n"));
  const target = document.createElement("div");
  shadow.append(style, target);
  el.append(host);
  const channel = overChannel(notebook);
  const app = new App(new Api("", channel.fetch), start.lang, false, host);
  app.route = start.page;
  app.unanswered = start.asleep;
  const asleep = document.createElement("p");
  asleep.className = "asleep";
  asleep.lang = start.lang;
  asleep.textContent = start.asleep;
  target.append(asleep);
  const leave = watchGround(host, (ground) => app.setGround(ground));
  const pages = { example: new Example(app), model: new Model(app) };
  let shown: Record<string, unknown> | null = null;
  void app.speak(start.lang).then(() => {
    if (app.words.isEmpty) return asleep.classList.add("sure");
    asleep.remove();
    shown = mount(Widget, { target, props: { app, ...pages } });
    void pages[start.page].visit(start.hash);
  });
  return () => {
    channel.stop();
    leave();
    if (shown !== null) void unmount(shown);
    host.remove();
  };
}

export default { render };
