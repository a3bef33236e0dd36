/** Where words stand in a text. */

/** The places of the words that hold a text, whatever its case; none for an empty one. */
export function placesOf(words: readonly string[] | null, text: string): number[] {
  const sought = text.trim().toLocaleLowerCase();
  if (words === null || sought === "") return [];
  const found: number[] = [];
  words.forEach((word, place) => {
    if (word.toLocaleLowerCase().includes(sought)) found.push(place);
  });
  return found;
}

/** The next of them after a place, going round; null where there is none. */
export function nextOf(places: readonly number[], after: number, by: 1 | -1): number | null {
  if (places.length === 0) return null;
  if (by === 1) return places.find((place) => place > after) ?? places[0] ?? null;
  return places.findLast((place) => place < after) ?? places.at(-1) ?? null;
}

/** "12, 5", "12 5" or "[12,5]": a query and a key; null for anything else. */
export function cellIn(text: string): { query: number; key: number } | null {
  const found = /^\s*\[?\s*(\d{1,9})\s*[,，\s]\s*(\d{1,9})\s*\]?\s*$/.exec(text);
  return found === null ? null : { query: Number(found[1]), key: Number(found[2]) };
}
