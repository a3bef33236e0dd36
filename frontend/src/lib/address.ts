/** The browser's address bar, and its history. */
import { type Place, toHash } from "./hash";

export class AddressBar {
  private turn = 0;

  /** Writes a place; `push`: as one that "back" returns to. Of several at once, the last stays. */
  write(place: Place, push: boolean): void {
    const turn = ++this.turn;
    const path = location.pathname;
    void toHash(place).then((hash) => {
      const isLate = location.pathname !== path || (turn !== this.turn && !push);
      if (isLate || hash === location.hash) return;
      try {
        if (push) history.pushState(null, "", hash);
        else history.replaceState(null, "", hash);
      } catch {
        // a page within another, without an address of its own, keeps no history
      }
    });
  }
}
