/** What a widget stands on: a notebook says in no common way whether it is dark, but its ground is seen. */

export type Ground = "light" | "dark";

/** The first ground behind an element that is no glass; null where none is painted. */
export function groundOf(element: Element): Ground | null {
  const pixel = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (pixel === null) return null;
  for (let at: Node | null = element.parentNode; at !== null; at = at instanceof ShadowRoot ? at.host : at.parentNode) {
    if (!(at instanceof Element)) continue;
    pixel.clearRect(0, 0, 1, 1);
    pixel.fillStyle = getComputedStyle(at).backgroundColor; // in whatever way the style names it
    pixel.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = pixel.getImageData(0, 0, 1, 1).data;
    if (alpha > 127) return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 128 ? "dark" : "light";
  }
  return null;
}

/** Tells of the ground now, and whenever it may have changed; the answer ends it. */
export function watchGround(element: Element, tell: (ground: Ground | null) => void): () => void {
  const stop = new AbortController();
  const look = (): void => {
    if (element.isConnected) tell(groundOf(element));
  };
  const themes = new MutationObserver(look);
  for (const root of [document.documentElement, document.body]) themes.observe(root, { attributes: true });
  const place = new ResizeObserver(look); // it is put into the page after it was made
  place.observe(element);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", look, { signal: stop.signal });
  document.addEventListener("transitionend", look, { signal: stop.signal }); // a ground that fades from one to the other
  return () => {
    stop.abort();
    themes.disconnect();
    place.disconnect();
  };
}
