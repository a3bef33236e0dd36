/** Whether everything that is printed holds, as the server finds. */
import type { App } from "./app.svelte";
import type { Proof, Source, View } from "./types";

export class Prover {
  found = $state.raw<Proof | null>(null);
  private running: AbortController | null = null;

  constructor(private readonly app: App) {}

  async ask(source: Source, view: View): Promise<void> {
    this.running?.abort();
    const running = (this.running = new AbortController());
    this.found = null;
    try {
      const proof = await this.app.api.proof(source, view, running.signal);
      if (this.running === running) this.found = proof;
    } catch (error) {
      const told = this.app.told(error);
      if (told !== null && this.running === running) this.found = { equalities: 1, hold: 0, message: told };
    }
  }
}
