// The articles that customers can read. Nobody needs a session for them, and
// whatever fails here never stands in the way of writing.
import { ask } from "./api";
import type { Context } from "./context";
import { spoken } from "./language";
import type { Article, ArticleText } from "./types";

/** The most characters that are sent while somebody types (code points). */
const mostTyped = 500;
/** A text with fewer words is too short to look for, unless one of them is long. */
const fewWords = 3;
const longWord = 6;

interface List {
  data: readonly Article[];
}

export class Library {
  /** The search on the home page, which is still there after reading an article. */
  query = "";
  /** The customer does not want suggestions on this page. */
  hidden = false;
  private readonly context: Context;
  private list: Promise<readonly Article[]> | null = null;

  constructor(context: Context) {
    this.context = context;
  }

  /** Opens an article on top of the present view. */
  open(slug: string, language = "", part = "") {
    const { view } = this.context.state;
    this.show({ name: "article", slug, language, part, from: view });
  }

  /** The language has changed. */
  forget() {
    this.list = null;
  }

  /** Returns from an article. */
  back() {
    const { view } = this.context.state;
    if (view.name === "article") this.show(view.from);
  }

  popular(): Promise<readonly Article[]> {
    this.list ??= ask<List>(this.path(`articles?${languageQuery()}`), "").then(
      ({ data }) => data,
      () => {
        this.list = null;
        return [];
      },
    );
    return this.list;
  }

  async search(query: string): Promise<readonly Article[]> {
    return (await ask<List>(this.path(`articles/search?q=${encodeURIComponent(query)}&${languageQuery()}`), "")).data;
  }

  /** The articles that may answer what is typed so far; none if that cannot be found out. */
  async suggest(text: string): Promise<readonly Article[]> {
    if (!worthAsking(text)) return [];
    const language = tagOf(spoken().articles);
    const body = { text: Array.from(text).slice(0, mostTyped).join(""), ...(language !== "" && { language }) };
    const { data } = await ask<List>(this.path("suggestions"), "", { method: "POST", body }).catch(() => ({ data: [] }));
    return data;
  }

  read(slug: string, of: string): Promise<ArticleText> {
    return ask<ArticleText>(this.path(`articles/${encodeURIComponent(slug)}?${languageQuery(of)}`), "");
  }

  rate({ slug, language: of }: Article, helped: boolean) {
    ask(this.path(`articles/${encodeURIComponent(slug)}/feedback`), "", { method: "POST", body: { helped, language: of } }).catch(() => undefined); // only an opinion
  }

  private show(view: Context["state"]["view"]) {
    this.context.set({ view });
    this.context.tab.place.set(view);
  }

  private path(rest: string): string {
    return `inboxes/${encodeURIComponent(this.context.inboxId)}/${rest}`;
  }
}

/** Whether a text says enough to look for articles. */
export function worthAsking(text: string): boolean {
  const words = text.trim().split(/\s+/);
  return words.length >= fewWords || words.some((word) => word.length >= longWord);
}

/** A language as the server reads it: without scripts and variants; "" if unknown. */
export function tagOf(tag: string): string {
  const [base = "", ...rest] = tag.split("-");
  if (!/^[a-z]{2,3}$/i.test(base)) return "";
  const region = rest.find((part) => /^([a-z]{2}|\d{3})$/i.test(part));
  return region ? `${base}-${region}` : base;
}

function languageQuery(of = ""): string {
  const language = of || tagOf(spoken().articles);
  return language === "" ? "" : `language=${language}`;
}
