// Which articles a list shows, and the address of that list.
import type { Article, HelpCenter } from "../api/knowledge";
import { fold } from "../kit/fold";
import { mainText, textState } from "./languages";

/** Absent members: all. The id `none` means "for all products" and "without category". */
export interface ArticleFilter {
  search?: string;
  productId?: string;
  categoryId?: string;
  /** A state of the article, or `changed`: published with changes that are not. */
  state?: string;
  language?: string;
  /** A language that the articles lack. */
  missing?: string;
}

const names = ["search", "productId", "categoryId", "state", "language", "missing"] as const satisfies readonly (keyof ArticleFilter)[];

export function filterIn(params: URLSearchParams): ArticleFilter {
  const filter: ArticleFilter = {};
  for (const name of names) {
    const value = params.get(name);
    if (value) filter[name] = value;
  }
  return filter;
}

export function filterAddress(filter: ArticleFilter): string {
  const params = new URLSearchParams();
  for (const name of names) if (filter[name]) params.set(name, filter[name]);
  return params.size === 0 ? "/articles" : `/articles?${params}`;
}

const matches = (wanted: string | undefined, id: string | null) => wanted === undefined || (wanted === "none" ? id === null : id === wanted);

export function fits(article: Article, { search, productId, categoryId, state, language, missing }: ArticleFilter): boolean {
  const { texts } = article;
  if (!matches(productId, article.productId) || !matches(categoryId, article.categoryId)) return false;
  if (state === "changed" ? article.state !== "published" || !texts.some((text) => textState(article, text) !== "published") : state !== undefined && article.state !== state) return false;
  if (language && !texts.some((text) => text.language === language)) return false;
  if (missing && texts.some((text) => text.language === missing)) return false;
  if (!search) return true;
  const words = fold(`${article.slug} ${texts.map(({ title, description }) => `${title} ${description}`).join(" ")}`);
  return fold(search)
    .split(/\s+/)
    .every((word) => words.includes(word));
}

/** The articles of the list: those that were changed last come first. */
export function listed(articles: ReadonlyMap<string, { value: Article }>, filter: ArticleFilter): Article[] {
  return [...articles.values()]
    .map(({ value }) => value)
    .filter((article) => fits(article, filter))
    .sort((a, b) => (a.updatedAt === b.updatedAt ? (a.id < b.id ? 1 : -1) : a.updatedAt < b.updatedAt ? 1 : -1));
}

/** The languages of all articles and help centers, sorted. */
export function usedLanguages(articles: ReadonlyMap<string, { value: Article }>, centers: ReadonlyMap<string, { value: HelpCenter }>): string[] {
  const used = new Set<string>();
  for (const { value } of centers.values()) for (const language of value.languages) used.add(language);
  for (const { value } of articles.values()) for (const { language } of value.texts) used.add(language);
  return [...used].sort();
}

/** The address of an article's text: by default the one that represents it. */
export function articleAddress(article: Article, centers: ReadonlyMap<string, { value: HelpCenter }>, language = ""): string {
  return `/articles/${article.id}/${mainText(article, centers, language).language}`;
}
