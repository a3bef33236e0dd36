/** What all pages share: language, theme, route, notices, and what is read out. */
import { ApiError, type File, type Server, isSuperseded } from "./api";
import type { Ground } from "./ground";
import type { Lang } from "./types";
import { type Arguments, Words } from "./words";

export type Route = "example" | "model" | "check";
export type Theme = "system" | "light" | "dark";
export const THEMES: readonly Theme[] = ["system", "light", "dark"];
export const PATHS: Readonly<Record<Route, string>> = { example: "/", model: "/model", check: "/check" };

const NOTICE_MS = 4000;
const KEPT_MS = 60_000;
/** As the styles have it, in rem. */
const ROOMY = 62;

function stored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function store(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // a browser that keeps nothing still shows the page
  }
}

export function routeOf(path: string): Route {
  if (path.startsWith("/model")) return "model";
  return path.startsWith("/check") ? "check" : "example";
}

export class App {
  lang = $state<Lang>("en");
  words = $state.raw(new Words());
  theme = $state<Theme>("system");
  route = $state<Route>("example");
  /** Whether keys of one character do anything. */
  singles = $state(true);
  help = $state(false);
  /** Whether the panel at the foot of a narrow window shows its first line only. */
  folded = $state(false);
  said = $state("");
  notice = $state("");
  failure = $state.raw<string | null>(null);
  private ground: Ground | null = null;
  /** What is said where nobody answers, and not even its words came. */
  unanswered = "workings serve?";
  private noticed: ReturnType<typeof setTimeout> | undefined;

  /** `alone`: nobody is there who could work anything out, as in a file on disk. */
  constructor(
    readonly api: Server,
    lang: Lang,
    readonly alone = false,
    /** What the page stands in: the whole window, or an element of another page. */
    readonly root: HTMLElement = document.documentElement,
  ) {
    this.lang = lang;
    this.route = alone || !this.isAddressed ? "example" : routeOf(location.pathname);
    this.singles = stored("workings.singles") !== "off";
    const theme = stored("workings.theme");
    this.setTheme(THEMES.find((one) => one === theme) ?? "system");
  }

  /** Whether the address of the window is this page's own. */
  get isAddressed(): boolean {
    return this.root === document.documentElement;
  }

  /** Whether there is room for columns beside each other. */
  get isRoomy(): boolean {
    if (this.isAddressed) return window.matchMedia(`(min-width: ${ROOMY}rem)`).matches;
    return this.root.clientWidth >= ROOMY * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  }

  readonly say = (key: string, given: Arguments = {}): string => this.words.say(key, given);

  /** Brings the sentences of a language; the page is in it from then on. */
  async speak(lang: Lang): Promise<void> {
    try {
      this.words = new Words(await this.api.words(lang));
      this.failure = null;
    } catch (error) {
      this.failure = this.told(error);
      return;
    }
    this.lang = lang;
    this.root.lang = lang;
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.wear();
    store("workings.theme", theme);
  }

  /** What it stands on; within another page that, and not the system, says whether it is dark. */
  setGround(ground: Ground | null): void {
    this.ground = ground;
    this.wear();
  }

  private wear(): void {
    this.root.dataset["theme"] = this.theme === "system" ? (this.ground ?? "system") : this.theme;
  }

  /** A theme by its name. */
  themed(theme: Theme): string {
    return this.say(theme === "system" && !this.isAddressed ? "web.theme.notebook" : `web.theme.${theme}`);
  }

  nextTheme(): void {
    this.setTheme(THEMES[(THEMES.indexOf(this.theme) + 1) % THEMES.length] ?? "system");
    this.tell(this.themed(this.theme));
  }

  setSingles(on: boolean): void {
    this.singles = on;
    store("workings.singles", on ? "on" : "off");
  }

  go(route: Route): void {
    if (route === this.route) return;
    history.pushState(null, "", PATHS[route]);
    this.route = route;
  }

  /** Has something read out by a screen reader. */
  aloud(text: string): void {
    this.said = this.said === text ? `${text}\u00a0` : text;
  }

  /** Shows a notice for a while, and has it read out. */
  tell(text: string): void {
    clearTimeout(this.noticed);
    this.notice = text;
    this.aloud(text);
    this.noticed = setTimeout(() => (this.notice = ""), NOTICE_MS);
  }

  /** Hands a file to the reader. */
  save({ name, blob }: File): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
  }

  /** What went wrong, in words; null for a request that the page gave up itself. */
  told(error: unknown): string | null {
    if (isSuperseded(error)) return null;
    if (!(error instanceof ApiError)) throw error;
    if (error.message || this.words.isEmpty) return error.message || this.unanswered;
    return this.say(this.isAddressed ? "web.offline" : "web.asleep");
  }
}
