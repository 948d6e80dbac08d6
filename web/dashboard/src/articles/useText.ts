import { useEffect, useState } from "react";
import { api } from "../api/client";
import type { ArticleText, ArticleVersion } from "../api/knowledge";
import type { Page } from "../api/types";
import { useCell, useLineState, useMe, useOnEvent } from "../sync";
import { asideId, loadText, storeText, textId } from "./drafts";
import { TextSession, type Text } from "./session";

export const textPath = (articleId: string, language: string) => `/v1/public/articles/${articleId}/texts/${language}`;

/** The text of an article in a language, as it is being written here. */
export function useText(articleId: string, language: string): { session: TextSession; text: Text } {
  const me = useMe();
  const line = useLineState();
  const [session, setSession] = useState(() => sessionOf(me.id, articleId, language));
  useEffect(() => {
    const opened = sessionOf(me.id, articleId, language);
    setSession(opened);
    void opened.open();
    const keep = () => opened.keep();
    const wake = () => opened.wake();
    window.addEventListener("pagehide", keep);
    window.addEventListener("online", wake);
    return () => {
      window.removeEventListener("pagehide", keep);
      window.removeEventListener("online", wake);
      opened.end();
    };
  }, [me.id, articleId, language]);
  useEffect(() => {
    if (line === "live") session.wake();
  }, [line, session]);
  useOnEvent((event) => {
    if (event.type === "article.deleted" && event.data.id === articleId) session.deleted();
    if (event.type !== "article.updated" || event.data.id !== articleId) return;
    const head = event.data.texts.find((text) => text.language === language);
    if (head) session.told(head.version);
    else session.deleted();
  });
  return { session, text: useCell(session.text, (text) => text) };
}

function sessionOf(meId: string, articleId: string, language: string): TextSession {
  const path = textPath(articleId, language);
  const id = textId(articleId, language);
  return new TextSession(
    {
      load: () => api.get<ArticleText>(path),
      newest: () => api.get<Page<ArticleVersion>>(`${path}/versions`, { limit: 1 }).then(({ data }) => data[0]),
      save: (version, content) => api.put<ArticleText>(path, { version, ...content }),
      stored: () => loadText(meId, id),
      store: (text) => storeText(meId, id, text),
      putAside: (text) => storeText(meId, asideId(id), text),
    },
    meId,
  );
}
