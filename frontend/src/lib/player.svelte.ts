/** Goes through the cells by itself, one after the other. */

const EACH_MS = 2400;

export class Player {
  on = $state(false);
  private timer: ReturnType<typeof setInterval> | undefined;

  /** `advance` gives whether there was anywhere left to go. */
  constructor(private readonly advance: () => boolean) {}

  set(on: boolean): void {
    clearInterval(this.timer);
    this.on = on;
    if (!on) return;
    this.timer = setInterval(() => {
      if (!this.advance()) this.set(false);
    }, EACH_MS);
  }
}
