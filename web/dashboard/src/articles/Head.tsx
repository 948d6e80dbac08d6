import { CircleAlert, CloudOff, Plus } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { ApiError, api, errorText } from "../api/client";
import type { Article, ArticleText } from "../api/knowledge";
import { BackLink, Badge, FormDialog, IconButton, SelectField, Spinner, useForm } from "../kit";
import { useHelpCenters } from "../sync";
import css from "./Editor.module.css";
import { inOrder, languageChoices, languageName, mainText, textState } from "./languages";
import { tones } from "./Row";
import { contentOf, empty, type Text } from "./session";
import { texts } from "./texts";
import { textPath } from "./useText";

interface Props {
  article: Article;
  language: string;
  text: Text;
  actions: ReactNode;
}

/** The languages of an article, whether its text is saved and published, and what can be done with it. */
export function Head({ article, language, text, actions }: Props) {
  const [adding, setAdding] = useState(false);
  const head = article.texts.find((one) => one.language === language);
  const centers = useHelpCenters();
  const state = head && textState(article, head);
  return (
    <header className={css.head}>
      <h1 className="visually-hidden">{text.content.title || texts.list.article}</h1>
      <BackLink href="/articles" label={texts.editor.back} />
      <nav className={css.languages} aria-label={texts.languages.label}>
        {inOrder(article, centers).map((one) => {
          const name = languageName(one.language);
          return (
            <Link
              key={one.language}
              href={`/articles/${article.id}/${one.language}`}
              className={css.language}
              aria-current={one.language === language ? "page" : undefined}
              aria-label={texts.languages.tab(name, texts.states[textState(article, one)])}
              data-state={textState(article, one)}
            >
              {name}
            </Link>
          );
        })}
        <IconButton size="sm" label={texts.languages.add} icon={<Plus size={15} />} onClick={() => setAdding(true)} />
      </nav>
      <div className={css.standing}>
        <Standing text={text} />
        {state && <Badge tone={tones[state]}>{texts.states[state]}</Badge>}
      </div>
      <div className={css.actions}>{actions}</div>
      {adding && <AddLanguage article={article} language={language} onClose={() => setAdding(false)} />}
    </header>
  );
}

/** Whether what is on the page is saved. */
function Standing({ text }: { text: Text }) {
  const { phase, saving, unsaved, error, theirs } = text;
  const passing = error !== undefined && (!(error instanceof ApiError) || error.passing);
  return (
    <span className={css.saved} role="status" data-fault={(error !== undefined && unsaved) || theirs ? true : undefined}>
      {phase === "loading" ? (
        texts.status.loading
      ) : theirs ? (
        <>
          <CircleAlert size={14} aria-hidden />
          {texts.status.conflict}
        </>
      ) : saving ? (
        <>
          <Spinner />
          {texts.status.saving}
        </>
      ) : error !== undefined && unsaved ? (
        <>
          {passing ? <CloudOff size={14} aria-hidden /> : <CircleAlert size={14} aria-hidden />}
          {passing ? texts.status.away : errorText(error)}
        </>
      ) : phase === "ready" ? (
        unsaved ? (
          texts.status.unsaved
        ) : (
          texts.status.saved
        )
      ) : null}
    </span>
  );
}

/** Adds a text in another language: a copy of one that the article has, to be translated, or an empty one. */
function AddLanguage({ article, language, onClose }: { article: Article; language: string; onClose: () => void }) {
  const [, navigate] = useLocation();
  const centers = useHelpCenters();
  const has = new Set(article.texts.map((text) => text.language));
  const wanted = [...centers.values()].filter(({ value }) => article.productId === null || value.productId === article.productId).flatMap(({ value }) => value.languages);
  const choices = languageChoices(wanted).filter(({ value }) => !has.has(value));
  const form = useForm({ language: choices[0]?.value ?? "", from: language }, async (values) => {
    const title = mainText(article, centers, language).title;
    const content = values.from === "" ? { ...empty, title } : contentOf(await api.get<ArticleText>(textPath(article.id, values.from)));
    await api.put<ArticleText>(textPath(article.id, values.language), { version: 0, ...content });
    onClose();
    navigate(`/articles/${article.id}/${values.language}`);
  });
  return (
    <FormDialog title={texts.languages.addTitle} action={texts.languages.addAction} form={form} onClose={onClose}>
      <SelectField label={texts.languages.language} autoFocus options={choices} {...form.field("language")} />
      <SelectField
        label={texts.languages.startWith}
        options={[...article.texts.map((text) => ({ value: text.language, label: texts.languages.copyOf(languageName(text.language)) })), { value: "", label: texts.languages.emptyText }]}
        {...form.field("from")}
      />
    </FormDialog>
  );
}
