/** A text that the model reads here: how far it is. */
import { isSuperseded } from "../lib/api";
import type { Model } from "./model.svelte";
import type { Progress } from "./types";

export class Running {
  text = $state("");
  progress = $state.raw<Progress | null>(null);
  isOn = $state(false);
  failure = $state.raw<string | null>(null);
  private giveUp: AbortController | null = null;

  constructor(private readonly model: Model) {}

  async begin(): Promise<void> {
    if (this.text.trim() === "" || this.isOn) return;
    const { app } = this.model;
    const giveUp = (this.giveUp = new AbortController());
    this.isOn = true;
    this.progress = this.failure = null;
    try {
      const recording = await app.api.run(this.text, app.lang, (progress) => this.tell(progress), giveUp.signal);
      await this.model.open(recording);
      app.tell(app.say("web.run.done"));
    } catch (error) {
      if (isSuperseded(error)) app.tell(app.say("web.run.stopped"));
      else this.failure = app.told(error);
    } finally {
      this.isOn = false;
      this.progress = null;
    }
  }

  stop(): void {
    this.giveUp?.abort();
  }

  private tell(progress: Progress): void {
    if (progress.stage !== this.progress?.stage) this.model.app.aloud(progress.label);
    this.progress = progress;
  }
}
