// Types of articles and help centers.
import type { Actor, Time } from "./types";

export type ArticleState = "draft" | "published" | "archived";

/** What lists and events show of an article's text: the working one. */
export interface ArticleHead {
  /** BCP 47, such as "en" or "pt-BR". */
  language: string;
  title: string;
  description: string;
  version: number;
  /** The version that the public reads; null: none. */
  publishedVersion: number | null;
  updatedAt: Time;
  publishedAt: Time | null;
}

export interface Article {
  id: string;
  slug: string;
  /** Null: for all products. */
  productId: string | null;
  categoryId: string | null;
  state: ArticleState;
  /** Sorted by language; at least one. */
  texts: readonly ArticleHead[];
  createdAt: Time;
  updatedAt: Time;
  publishedAt: Time | null;
}

/** What authors write in a language. */
export interface Content {
  title: string;
  description: string;
  /** Markdown. */
  body: string;
  keywords: readonly string[];
}

export type ArticleText = ArticleHead & Content & { articleId: string };

export interface ArticleVersion extends Content {
  articleId: string;
  language: string;
  version: number;
  author: Actor;
  createdAt: Time;
  publishedAt: Time | null;
}

export interface ArticleCategory {
  id: string;
  productId: string | null;
  /** By language. */
  names: Readonly<Record<string, string>>;
  position: number;
  createdAt: Time;
  updatedAt: Time;
}

export interface HelpCenter {
  productId: string;
  slug: string;
  title: string;
  /** The first is the default. */
  languages: readonly string[];
  enabled: boolean;
  color: string;
  createdAt: Time;
  updatedAt: Time;
}

/** What a list shows of an article besides the article. */
export interface ArticleFigures {
  articleId: string;
  updatedBy: Actor;
  shown: number;
  helped: number;
  notHelped: number;
}

export interface ArticlePicture {
  id: string;
  path: string;
}

interface Told<T extends string, D> {
  seq: number;
  type: T;
  createdAt: Time;
  actor: Actor;
  imported: boolean;
  conversationId: null;
  changed: string[];
  data: D;
}
export type KnowledgeEvent =
  | Told<"article.created" | "article.updated", Article>
  | Told<"article.deleted" | "article_category.deleted", { id: string }>
  | Told<"article_category.created" | "article_category.updated", ArticleCategory>
  | Told<"help_center.created" | "help_center.updated", HelpCenter>
  | Told<"help_center.deleted", { productId: string }>;
