/** What each action does on each page. */
import type { CheckState } from "./check/check.svelte";
import type { App } from "./lib/app.svelte";
import type { Action } from "./lib/keys";
import type { Example } from "./lib/state.svelte";
import type { Model } from "./model/model.svelte";

/** The first seed of a quiz; the next quiz has the next. */
export const FIRST_SEED = 7;

/** Does it; false where it means nothing here, so that the key keeps its own meaning. */
export function act(action: Action, app: App, example: Example | null, check: CheckState | null = null, model: Model | null = null): boolean {
  switch (action) {
    case "help":
      app.help = true;
      return true;
    case "theme":
      app.nextTheme();
      return true;
    case "language":
      switchLanguage(app, example, check, model);
      return true;
    case "share":
      void share(app);
      return true;
    default:
      if (app.route === "example") return example !== null && onExample(action, app, example);
      return check !== null && app.route === "check" && onCheck(action, check);
  }
}

export function switchLanguage(app: App, example: Example | null, check: CheckState | null, model: Model | null): void {
  const lang = app.lang === "en" ? "zh" : "en";
  if (app.route === "example") void example?.setView({ lang });
  else if (app.route === "model") void app.speak(lang).then(() => model?.again());
  else void app.speak(lang).then(() => check?.again());
}

function onCheck(action: Action, check: CheckState): boolean {
  switch (action) {
    case "next-blank":
      check.move(1);
      break;
    case "previous-blank":
      check.move(-1);
      break;
    case "next-step":
      check.step(1);
      break;
    case "previous-step":
      check.step(-1);
      break;
    case "reveal":
      return check.workHere();
    case "stop":
      check.working = null;
      break;
    default:
      return false;
  }
  return true;
}

function onExample(action: Action, app: App, example: Example): boolean {
  const { quiz } = example;
  switch (action) {
    case "next-step":
      example.go(example.at + 1);
      break;
    case "previous-step":
      example.go(example.at - 1);
      break;
    case "next-blank":
    case "previous-blank":
      if (!quiz.on) return false;
      void quiz.move(action === "next-blank" ? 1 : -1);
      break;
    case "hint":
      if (quiz.on) void quiz.showHint();
      else example.look.hinted = !example.look.hinted;
      break;
    case "reveal":
      if (quiz.on || !example.look.cover) return false;
      example.reveal();
      break;
    case "play":
      if (quiz.on) return false;
      example.player.toggle();
      break;
    case "cover":
      example.setCover(!example.look.cover);
      app.tell(app.say(example.look.cover ? "web.cover.on" : "web.cover.off"));
      break;
    case "layout":
      example.setLayout(example.layout === "all" ? "step" : "all");
      break;
    case "quiz":
      if (quiz.on) quiz.stop();
      else void quiz.begin(FIRST_SEED);
      break;
    case "edit":
      if (quiz.on) return false;
      example.editing = !example.editing;
      app.tell(app.say(example.editing ? "web.edit.on" : "web.edit.off"));
      break;
    case "undo":
      void example.turn("undo");
      break;
    case "redo":
      void example.turn("redo");
      break;
    case "stop":
      example.player.pause();
      example.editing = false;
      break;
    default:
      return false;
  }
  return true;
}

/** Copies the address of what is shown. */
export async function share(app: App): Promise<void> {
  try {
    await navigator.clipboard.writeText(location.href);
    app.tell(app.say("web.share.copied"));
  } catch {
    app.tell(app.say("web.share.by-hand"));
  }
}
