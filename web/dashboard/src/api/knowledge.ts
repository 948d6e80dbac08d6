// Types of articles and help centers.
import type { LogEvent } from "./types";

export type {
  Article,
  ArticleCategory,
  ArticleFigures,
  ArticleHead,
  ArticleHit,
  ArticlePicture,
  ArticleText,
  ArticleOrigin,
  ArticleVersion,
  DraftedArticle,
  FoundArticles,
  HelpCenter,
  PublishedArticle,
} from "../../../shared/api.gen";

/** What authors write in a language. */
export interface Content {
  title: string;
  description: string;
  /** Markdown. */
  body: string;
  keywords: readonly string[];
}

export type KnowledgeEvent = Extract<LogEvent, { type: `${"article" | "article_category" | "help_center"}.${string}` }>;
