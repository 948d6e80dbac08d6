import { Languages, ThumbsDown, ThumbsUp } from "lucide-react";
import { Link } from "wouter";
import type { Article, ArticleFigures } from "../api/knowledge";
import { Badge, cx, OrPlain, RelativeTime, rowClass, type Tone } from "../kit";
import { useArticleCategories, useHelpCenters, useProducts } from "../sync";
import { categoryName, languageName, mainText, textState, type TextState } from "./languages";
import css from "./ArticleList.module.css";
import { texts } from "./texts";

interface Props {
  article: Article;
  figures: ArticleFigures | undefined;
  href: string;
  cursor: boolean;
  /** The language of the title, if the article has it. */
  wanted: string;
}

export const tones: Record<TextState, Tone> = { draft: "neutral", published: "ok", changed: "warn", archived: "neutral" };

/** One article of a list. */
function ArticleRow({ article, figures, href, cursor, wanted }: Props) {
  const centers = useHelpCenters();
  const product = useProducts().find(({ id }) => id === article.productId);
  const category = useArticleCategories().find(({ id }) => id === article.categoryId);
  const { title, description } = mainText(article, centers, wanted);
  const place = [article.productId === null ? texts.list.allProducts : product?.name, category && categoryName(category.names, wanted)].filter(Boolean).join(" · ");
  return (
    <Link href={href} className={cx(rowClass, css.row)} data-row={article.id} data-cursor={cursor}>
      <span className={css.main}>
        <span className={css.title} dir="auto">
          {title}
        </span>
        <span className={css.detail}>
          <span>{place}</span>
          {description && <span dir="auto">{description}</span>}
        </span>
      </span>
      <span className={css.texts}>
        {article.state === "archived" && <Badge>{texts.states.archived}</Badge>}
        {article.texts.map((text) => {
          const state = textState(article, text);
          return (
            <span key={text.language} title={texts.list.textState(languageName(text.language), texts.states[state])}>
              <Badge tone={tones[state]}>
                {text.language}
                <span className="visually-hidden">{texts.list.textState("", texts.states[state])}</span>
              </Badge>
            </span>
          );
        })}
      </span>
      <Readers figures={figures} />
      <span className={css.when}>
        <RelativeTime at={article.updatedAt} />
        <span className={css.by}>{figures?.updatedBy.name}</span>
      </span>
    </Link>
  );
}

function Readers({ figures }: { figures: ArticleFigures | undefined }) {
  if (!figures || figures.helped + figures.notHelped === 0) return <span className={cx(css.readers, css.unknown)} />;
  return (
    <span className={css.readers} title={texts.list.readers(figures.shown, figures.helped, figures.notHelped)}>
      <ThumbsUp size={13} aria-hidden />
      {figures.helped}
      <ThumbsDown size={13} aria-hidden />
      {figures.notHelped}
      <span className="visually-hidden">{texts.list.readers(figures.shown, figures.helped, figures.notHelped)}</span>
    </span>
  );
}

/** A row, or a plain link to its article if the row cannot be rendered. */
export function OrPlainArticleRow(props: Props) {
  const plain = (
    <Link href={props.href} className={cx(rowClass, css.row)} data-row={props.article.id}>
      <Languages size={16} aria-hidden />
      {texts.list.article}
    </Link>
  );
  return (
    <OrPlain of={props.article} plain={plain}>
      <ArticleRow {...props} />
    </OrPlain>
  );
}
