// The page of an article's text in one language.
import { FileQuestion } from "lucide-react";
import { useState } from "react";
import { Redirect, useParams } from "wouter";
import { ApiError } from "../api/client";
import type { Article, ArticleHead } from "../api/knowledge";
import { ButtonLink, EmptyState, ErrorState, Page, SkeletonRows, useNarrow, useTitle } from "../kit";
import { useArticle, useHelpCenters, useMe } from "../sync";
import { Actions } from "./Actions";
import { Conflict } from "./Conflict";
import { Details } from "./Details";
import { loadText, textId } from "./drafts";
import { Editor } from "./Editor";
import css from "./Editor.module.css";
import { articleAddress } from "./filter";
import { Head } from "./Head";
import { Missing } from "./Missing";
import { Panels, type Panel } from "./Panels";
import { Preview } from "./Preview";
import { texts } from "./texts";
import { useText } from "./useText";
import { Versions } from "./Versions";

export function EditorPage() {
  const { id = "", language } = useParams();
  const { value: article, error, reload } = useArticle(id);
  const centers = useHelpCenters();
  const me = useMe();
  // It stays here while the state is read anew, and when somebody deletes it.
  const [last, setLast] = useState(article);
  if (article && article !== last) setLast(article);
  const shown = article ?? (last?.id === id ? last : undefined);
  // An address that is no id is refused as such.
  const gone = error instanceof ApiError && (error.status === 404 || error.status === 400);
  if (!shown) {
    if (gone) return <NotFound />;
    return (
      <Page title={texts.list.article} back={{ href: "/articles", label: texts.editor.back }}>
        {error === undefined ? <SkeletonRows avatar={false} /> : <ErrorState error={error} onRetry={reload} />}
      </Page>
    );
  }
  if (!language) return <Redirect to={articleAddress(shown, centers)} replace />;
  const head = shown.texts.find((text) => text.language === language);
  // A text that was deleted while it was written shows until the member leaves it.
  if (!head && !loadText(me.id, textId(id, language)) && last === undefined) return <Redirect to={articleAddress(shown, centers)} replace />;
  return <TextPage key={textId(id, language)} article={shown} head={head} language={language} />;
}

function NotFound() {
  return (
    <Page title={texts.editor.notFound}>
      <EmptyState icon={<FileQuestion size={20} />} title={texts.editor.notFound} action={<ButtonLink href="/articles">{texts.list.title}</ButtonLink>}>
        {texts.editor.whyNotFound}
      </EmptyState>
    </Page>
  );
}

interface Props {
  article: Article;
  head: ArticleHead | undefined;
  language: string;
}

function TextPage({ article, head, language }: Props) {
  const { session, text } = useText(article.id, language);
  const narrow = useNarrow(1100);
  const [panel, setPanel] = useState<Panel>(narrow ? "write" : "preview");
  const shown: Panel = !narrow && panel === "write" ? "preview" : panel;
  useTitle(text.content.title || head?.title || texts.list.article);
  const writing = !narrow || shown === "write";
  return (
    <div className={css.page}>
      <Head article={article} language={language} text={text} actions={<Actions article={article} head={head} language={language} session={session} text={text} />} />
      {text.theirs && <Conflict theirs={text.theirs} mine={text.content} onKeep={() => session.keepMine()} onTake={() => session.takeTheirs()} />}
      {text.phase === "missing" ? (
        <Missing article={article} language={language} text={text} />
      ) : text.phase === "failed" ? (
        <ErrorState error={text.error} onRetry={() => void session.open()} />
      ) : (
        <Panels selected={shown} onSelect={setPanel} narrow={narrow} writing={writing && <Editor articleId={article.id} session={session} text={text} language={language} />}>
          {shown === "preview" && <Preview article={article} language={language} content={text.content} />}
          {shown === "details" && <Details article={article} head={head} session={session} text={text} />}
          {shown === "versions" && <Versions article={article} language={language} session={session} text={text} />}
        </Panels>
      )}
    </div>
  );
}
