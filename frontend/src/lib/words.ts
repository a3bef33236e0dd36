/** The sentences of the page; they come from the server's catalogues. */

export type Arguments = Record<string, string | number>;

export class Words {
  constructor(private readonly sentences: Readonly<Record<string, string>> = {}) {}

  /** The sentence of a key with its arguments in place; the key itself where there is none. */
  say(key: string, given: Arguments = {}): string {
    const sentence = this.sentences[key];
    return sentence === undefined ? key : filled(sentence, given);
  }

  has(key: string): boolean {
    return key in this.sentences;
  }

  get isEmpty(): boolean {
    return Object.keys(this.sentences).length === 0;
  }
}

/** `{name}` becomes the argument of that name; a name that was not given stays. */
export function filled(sentence: string, given: Arguments): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    return value === undefined ? whole : String(value);
  });
}
