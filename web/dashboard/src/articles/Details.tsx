import { ExternalLink } from "lucide-react";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { api, ApiError, errorText } from "../api/client";
import type { Article, ArticleHead, ArticleOrigin } from "../api/knowledge";
import { fieldText } from "../api/sentences";
import { useQuery } from "../api/useQuery";
import { CopyButton, Facts, fullTime, SelectField, TextField, useAction } from "../kit";
import { useArticleCategories, useHelpCenters, useLearn, useProducts, useSelect } from "../sync";
import css from "./Editor.module.css";
import { Keywords } from "./Keywords";
import { categoryName, centersOf, publicPath, textState } from "./languages";
import type { Text, TextSession } from "./session";
import { texts } from "./texts";

interface Props {
  article: Article;
  head: ArticleHead | undefined;
  session: TextSession;
  text: Text;
}

/** Where an article belongs, how it is found, and what readers say. */
export function Details({ article, head, session, text }: Props) {
  const learn = useLearn();
  const { run } = useAction();
  const products = useProducts().filter(({ id, archived }) => !archived || id === article.productId);
  const categories = useArticleCategories();
  const figures = useSelect((state) => state.articleFigures.get(article.id)?.value);
  const origin = useQuery<ArticleOrigin>(`/v1/dashboard/articles/${article.id}/origin`).data?.conversationId;
  const change = (changes: { productId?: string | null; categoryId?: string | null }) =>
    void run(async () => learn("article", await api.patch<Article>(`/v1/public/articles/${article.id}`, changes)), texts.details.changed);
  const move = (productId: string | null) => {
    const category = categories.find(({ id }) => id === article.categoryId);
    // A category of another product cannot be kept.
    change({ productId, ...(category && category.productId !== null && category.productId !== productId && { categoryId: null }) });
  };
  const fitting = categories.filter(({ productId }) => productId === null || productId === article.productId);
  const language = head?.language ?? "";
  const { error } = text;
  return (
    <div className={css.details}>
      <Keywords
        words={text.content.keywords}
        error={error instanceof ApiError && "keywords" in error.fields ? fieldText(error, "keywords") : undefined}
        onChange={(keywords) => session.change({ keywords })}
      />
      <SelectField
        label={texts.details.product}
        value={article.productId ?? ""}
        options={[...products.map(({ id, name }) => ({ value: id, label: name })), { value: "", label: texts.list.forAllProducts }]}
        onChange={(id) => move(id || null)}
      />
      <SelectField
        label={texts.details.category}
        value={article.categoryId ?? ""}
        options={[{ value: "", label: texts.details.none }, ...fitting.map(({ id, names }) => ({ value: id, label: categoryName(names, language) }))]}
        onChange={(id) => change({ categoryId: id || null })}
      />
      <Slug article={article} />
      {head && <PublicPages article={article} head={head} />}
      <Facts
        items={[
          [texts.details.feedback, figures ? texts.list.readers(figures.shown, figures.helped, figures.notHelped).split(": ")[1] : "–"],
          [texts.details.created, fullTime(article.createdAt)],
          ...(origin ? [[texts.details.origin, <Link href={`/inbox/${origin}`}>{texts.details.conversation}</Link>] as const] : []),
          [texts.details.lastPublished, head?.publishedAt ? fullTime(head.publishedAt) : texts.details.never],
        ]}
      />
    </div>
  );
}

/** The name in addresses, stored when the field is left. */
function Slug({ article }: { article: Article }) {
  const learn = useLearn();
  const [slug, setSlug] = useState(article.slug);
  const [fault, setFault] = useState<string>();
  useEffect(() => setSlug(article.slug), [article.slug]);
  const store = async () => {
    if (slug === article.slug) return setFault(undefined);
    try {
      learn("article", await api.patch<Article>(`/v1/public/articles/${article.id}`, { slug }));
      setFault(undefined);
    } catch (error) {
      setFault(error instanceof ApiError && "slug" in error.fields ? fieldText(error, "slug") : errorText(error));
    }
  };
  return (
    <TextField
      label={texts.details.slug}
      hint={texts.details.slugHint}
      error={fault}
      value={slug}
      spellCheck={false}
      autoCapitalize="none"
      autoComplete="off"
      maxLength={80}
      onChange={(text) => setSlug(text.toLowerCase().replace(/\s+/g, "-"))}
      onBlur={() => void store()}
      onKeyDown={(event) => event.key === "Enter" && !event.ctrlKey && !event.metaKey && void store()}
    />
  );
}

function PublicPages({ article, head }: { article: Article; head: ArticleHead }) {
  const centers = centersOf(article, useHelpCenters());
  const state = textState(article, head);
  const isPublic = state === "published" || state === "changed";
  return (
    <div className={css.pages}>
      <h2>{texts.details.publicPages}</h2>
      {!isPublic ? (
        <p>{texts.details.notPublic}</p>
      ) : centers.length === 0 ? (
        <p>{texts.details.noCenter}</p>
      ) : (
        <ul>
          {centers.map((center) => {
            const path = publicPath(center, head.language, article.slug);
            return (
              <li key={center.productId}>
                <a href={path} target="_blank" rel="noopener">
                  {center.title}
                  <ExternalLink size={13} aria-hidden />
                </a>
                <CopyButton label={texts.details.copy} value={location.origin + path} />
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
