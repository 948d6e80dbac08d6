// Types of articles and help centers.
import type * as api from "../../../shared/api.gen";
import type { Actor, LogEvent, Time } from "./types";

export type { Article, ArticleCategory, ArticleFigures, ArticleHead, ArticlePicture, HelpCenter } from "../../../shared/api.gen";

/** What authors write in a language. */
export interface Content {
  title: string;
  description: string;
  /** Markdown. */
  body: string;
  keywords: readonly string[];
}

export type ArticleText = api.ArticleHead & Content & { articleId: string };

export interface ArticleVersion extends Content {
  articleId: string;
  language: string;
  version: number;
  author: Actor;
  createdAt: Time;
  publishedAt: Time | null;
}

export type KnowledgeEvent = Extract<LogEvent, { type: `${"article" | "article_category" | "help_center"}.${string}` }>;
