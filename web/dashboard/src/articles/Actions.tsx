import { Archive, ArchiveRestore, Ellipsis, ExternalLink, EyeOff, Send, Trash2 } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { useLocation } from "wouter";
import { api } from "../api/client";
import type { Article, ArticleHead, HelpCenter } from "../api/knowledge";
import { Button, ConfirmDialog, IconButton, Menu, useAction, type MenuEntry } from "../kit";
import { useHelpCenters, useLearn, useMe } from "../sync";
import { useNamedCommand } from "../shell/commands";
import { dropArticle } from "./drafts";
import { articleAddress } from "./filter";
import { centersOf, languageName, publicPath, textState } from "./languages";
import type { Text, TextSession } from "./session";
import { texts } from "./texts";
import { textPath } from "./useText";

interface Props {
  article: Article;
  /** Undefined for a text that was deleted. */
  head: ArticleHead | undefined;
  language: string;
  session: TextSession;
  text: Text;
}

type Question = "unpublish" | "archive" | "deleteText" | "deleteArticle";

/** Publishing, and what else can be done with an article. */
export function Actions({ article, head, language, session, text }: Props) {
  const learn = useLearn();
  const me = useMe();
  const [, navigate] = useLocation();
  const centers = useHelpCenters();
  const { busy, run } = useAction();
  const [asking, setAsking] = useState<Question | null>(null);
  const path = `/v1/public/articles/${article.id}`;
  const state = head ? textState(article, head) : "draft";
  const name = languageName(language);
  const publishable = head !== undefined && text.phase === "ready" && !text.theirs && (state !== "published" || text.unsaved);
  const publish = async (languages: readonly string[], said: string) => {
    await run(async () => {
      if (!(await session.save())) throw new Error(texts.actions.notSaved);
      learn("article", await api.post<Article>(`${path}/publish`, languages.length > 0 ? { languages } : {}));
    }, said);
  };
  const publishThis = () => publish([language], texts.actions.published(name));
  const change = async (to: Article["state"]) => learn("article", await api.patch<Article>(path, { state: to }));
  useKey(publishable ? () => void publishThis() : null);
  useNamedCommand(publishable ? { id: "publish", label: texts.actions.publish, group: texts.list.title, keys: "Mod+Enter", run: () => void publishThis() } : null);
  const confirm: Record<Question, { title: string; text: string; action: string; run: () => Promise<unknown> }> = {
    unpublish: { title: texts.actions.unpublishTitle, text: texts.actions.unpublishText, action: texts.actions.unpublish, run: () => change("draft") },
    archive: { title: texts.actions.archiveTitle, text: texts.actions.archiveText, action: texts.actions.archive, run: () => change("archived") },
    deleteText: {
      title: texts.actions.deleteTextTitle(name),
      text: texts.actions.deleteTextText,
      action: texts.actions.deleteText(name),
      run: async () => {
        const left = await api.delete<Article>(textPath(article.id, language));
        session.discard();
        learn("article", left);
        navigate(articleAddress(left, centers), { replace: true });
      },
    },
    deleteArticle: {
      title: texts.actions.deleteArticleTitle,
      text: texts.actions.deleteArticleText,
      action: texts.actions.deleteArticle,
      run: async () => {
        await api.delete(path);
        session.discard();
        dropArticle(me.id, article.id);
        learn("article", article, "deleted");
        navigate("/articles", { replace: true });
      },
    },
  };
  const shownIn = head && state !== "draft" && state !== "archived" ? centersOf(article, centers) : [];
  const only = shownIn.length === 1 ? shownIn[0] : undefined;
  const view = (center: HelpCenter) => void window.open(publicPath(center, language, article.slug), "_blank", "noopener");
  const entries: MenuEntry[] = [
    ...shownIn.map((center) => ({ label: only ? texts.actions.view : texts.actions.viewIn(center.title), icon: <ExternalLink size={15} />, onSelect: () => view(center) })),
    ...(article.texts.length > 1 ? [{ label: texts.actions.publishAll, icon: <Send size={15} />, onSelect: () => void publish([], texts.actions.allPublished) }] : []),
    ...(article.state === "published" ? [{ label: texts.actions.unpublish, icon: <EyeOff size={15} />, onSelect: () => setAsking("unpublish") }] : []),
    ...(article.state === "archived"
      ? [{ label: texts.actions.publishAgain, icon: <ArchiveRestore size={15} />, onSelect: () => void run(() => change("published"), texts.actions.published(name)) }]
      : [{ label: texts.actions.archive, icon: <Archive size={15} />, onSelect: () => setAsking("archive") }]),
    "separator",
    ...(article.texts.length > 1 && head ? [{ label: texts.actions.deleteText(name), icon: <Trash2 size={15} />, danger: true, onSelect: () => setAsking("deleteText") }] : []),
    { label: texts.actions.deleteArticle, icon: <Trash2 size={15} />, danger: true, onSelect: () => setAsking("deleteArticle") },
  ];
  const asked = asking && confirm[asking];
  return (
    <>
      {state === "published" && !text.unsaved && !busy ? (
        only && (
          <Button icon={<ExternalLink size={15} />} onClick={() => view(only)}>
            {texts.actions.viewShort}
          </Button>
        )
      ) : (
        <Button variant="primary" busy={busy} disabled={!publishable} onClick={() => void publishThis()} title={texts.actions.publishKeys}>
          {state === "changed" || state === "published" ? texts.actions.publishChanges : texts.actions.publish}
        </Button>
      )}
      <Menu label={texts.actions.more} button={<IconButton label={texts.actions.more} icon={<Ellipsis size={16} />} />} entries={entries} />
      <ConfirmDialog
        open={asked !== null}
        onClose={() => setAsking(null)}
        title={asked?.title ?? ""}
        action={asked?.action ?? ""}
        danger={asking === "deleteText" || asking === "deleteArticle"}
        onConfirm={() => asked?.run()}
      >
        {asked?.text}
      </ConfirmDialog>
    </>
  );
}

/** Mod+Enter publishes, also while somebody writes. */
function useKey(run: (() => void) | null) {
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.defaultPrevented || event.repeat) return;
    if (event.target instanceof Element && event.target.closest("[role=dialog]")) return;
    event.preventDefault();
    run?.();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => pressed(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}
