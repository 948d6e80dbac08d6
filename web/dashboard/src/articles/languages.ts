import type { Article, ArticleHead, HelpCenter } from "../api/knowledge";
import { locale } from "../kit/texts";

const names = new Intl.DisplayNames([locale], { type: "language" });

/** The name of a language: "Portuguese (Brazil)" for "pt-BR"; the tag itself if it has none. */
export function languageName(tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** Languages that people often choose, before those in use. */
const common = "en de fr es it nl pt pt-BR pl cs sv da nb fi hu ro uk ru tr ar he ja ko zh".split(" ");

/** The languages to choose from: those in use first. */
export function languageChoices(used: Iterable<string>): { value: string; label: string }[] {
  return [...new Set([...used, ...common])].map((value) => ({ value, label: languageName(value) }));
}

/** What the public reads of a text. */
export type TextState = "draft" | "published" | "changed" | "archived";

export function textState(article: Pick<Article, "state">, text: Pick<ArticleHead, "version" | "publishedVersion">): TextState {
  if (text.publishedVersion === null) return "draft";
  if (article.state === "archived") return "archived";
  return text.publishedVersion === text.version ? "published" : "changed";
}

/** The text that represents the article: in the wanted language, the default of its help center, English, or any. */
export function mainText(article: Article, centers: ReadonlyMap<string, { value: HelpCenter }>, wanted = ""): ArticleHead {
  const center = article.productId ? centers.get(article.productId)?.value : undefined;
  const find = (language: string) => article.texts.find((text) => text.language === language);

  const found = find(wanted) ?? center?.languages.map(find).find((text) => text !== undefined) ?? find("en") ?? article.texts[0];
  if (!found) throw new Error("the article has no text");
  return found;
}

/** The texts of an article in the order of its help center's languages, the others behind them. */
export function inOrder(article: Article, centers: ReadonlyMap<string, { value: HelpCenter }>): ArticleHead[] {
  const languages = (article.productId ? centers.get(article.productId)?.value.languages : undefined) ?? [];
  const place = ({ language }: ArticleHead) => (languages.includes(language) ? languages.indexOf(language) : languages.length);
  return [...article.texts].sort((a, b) => place(a) - place(b));
}

/** Where the public reads the text in a help center. */
export function publicPath(center: HelpCenter, language: string, slug: string): string {
  return `/help/${center.slug}/${language}/${slug}`;
}

/** The help centers that show the article now. */
export function centersOf(article: Article, centers: ReadonlyMap<string, { value: HelpCenter }>): HelpCenter[] {
  return [...centers.values()].map(({ value }) => value).filter((center) => center.enabled && (article.productId === null || article.productId === center.productId));
}

/** The name of a category in the wanted language, or in any. */
export function categoryName(names: Readonly<Record<string, string>>, wanted = "en"): string {
  return names[wanted] ?? names["en"] ?? Object.values(names)[0] ?? "";
}
