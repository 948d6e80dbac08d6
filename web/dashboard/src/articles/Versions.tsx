import { useEffect, useState } from "react";
import type { Article, ArticleVersion, Content } from "../api/knowledge";
import { usePages } from "../api/useQuery";
import { Badge, Button, Dialog, EmptyState, ErrorState, fullTime, RelativeTime, SkeletonRows, useToast } from "../kit";
import { useMe } from "../sync";
import { DiffView } from "./DiffView";
import { asideId, loadText, storeText, textId } from "./drafts";
import css from "./Editor.module.css";
import { contentOf, same, type Text, type TextSession } from "./session";
import { texts } from "./texts";
import { textPath } from "./useText";

interface Props {
  article: Article;
  language: string;
  session: TextSession;
  text: Text;
}

interface Compared {
  title: string;
  action: string;
  content: Content;
  restore: () => void;
}

/** The versions of a text, newest first, to compare and to restore. */
export function Versions({ article, language, session, text }: Props) {
  const me = useMe();
  const toast = useToast();
  const asideKey = asideId(textId(article.id, language));
  const [aside, setAside] = useState(() => loadText(me.id, asideKey));
  const list = usePages<ArticleVersion>(`${textPath(article.id, language)}/versions`, { limit: 20 });
  const [compared, setCompared] = useState<Compared | null>(null);
  const published = article.texts.find((one) => one.language === language)?.publishedVersion;
  const { reload } = list;
  useEffect(() => {
    if (text.version > 0) reload();
  }, [text.version, published, reload]);
  useEffect(() => setAside(loadText(me.id, asideKey)), [me.id, asideKey, text.theirs]);
  const restore = (content: Content) => {
    session.change(contentOf(content));
    void session.save();
    setCompared(null);
    toast.done(texts.versions.restored);
  };
  const drop = () => {
    storeText(me.id, asideKey, null);
    setAside(null);
  };
  if (list.error !== undefined && list.items.length === 0) return <ErrorState error={list.error} onRetry={reload} />;
  if (list.loading && list.items.length === 0) return <SkeletonRows count={4} avatar={false} />;
  return (
    <>
      {aside && (
        <div className={css.aside}>
          <span>
            <strong>{texts.versions.aside}</strong>
            <RelativeTime at={new Date(aside.at).toISOString()} />
          </span>
          <Button
            size="sm"
            aria-label={texts.versions.compareAside}
            onClick={() =>
              setCompared({
                title: texts.versions.asideTitle,
                action: texts.versions.asideRestore,
                content: aside.content,
                restore: () => {
                  restore(aside.content);
                  drop();
                },
              })
            }
          >
            {texts.versions.compare}
          </Button>
          <Button size="sm" variant="ghost" aria-label={texts.versions.discardAside} onClick={drop}>
            {texts.missing.discard}
          </Button>
        </div>
      )}
      {list.items.length === 0 && <EmptyState title={texts.versions.none} />}
      <ol className={css.versions} aria-label={texts.versions.list}>
        {list.items.map((version) => (
          <li key={version.version} className={css.version}>
            <span className={css.versionText}>
              <span className={css.versionName}>
                <strong>{texts.versions.number(version.version)}</strong>
                {version.version === text.version && <Badge tone="accent">{texts.versions.current}</Badge>}
                {version.version === published ? <Badge tone="ok">{texts.versions.published}</Badge> : version.publishedAt && <Badge>{texts.versions.wasPublished}</Badge>}
              </span>
              <span className={css.versionBy} title={fullTime(version.createdAt)}>
                {version.author.name} <RelativeTime at={version.createdAt} />
              </span>
            </span>
            {!same(version, text.content) && (
              <Button
                size="sm"
                aria-label={texts.versions.compareWith(version.version)}
                onClick={() => setCompared({ title: texts.versions.compareTitle(version.version), action: texts.versions.restore, content: version, restore: () => restore(version) })}
              >
                {texts.versions.compare}
              </Button>
            )}
          </li>
        ))}
      </ol>
      {list.more && (
        <Button size="sm" variant="ghost" onClick={list.loadMore}>
          {texts.versions.more}
        </Button>
      )}
      <Dialog
        open={compared !== null}
        onClose={() => setCompared(null)}
        wide
        title={compared?.title ?? ""}
        footer={
          <Button variant="primary" disabled={text.theirs !== null} onClick={() => compared?.restore()}>
            {compared?.action}
          </Button>
        }
      >
        {compared && <DiffView before={compared.content} after={text.content} />}
      </Dialog>
    </>
  );
}
