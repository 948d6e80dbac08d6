import { useEffect, useMemo, useState } from "react";
import { useLocation } from "wouter";
import { inboxAddress } from "../inbox/views";
import { lastView } from "../inbox/lastview";
import { wordsOf } from "../notices/words";
import { choicesOf } from "../shell/choices";
import { useMe, useOnEvent, useOnSignal, useStore } from "../sync";
import { claim } from "./claim";
import type { Call } from "./decide";
import { createCalls, type News } from "./gather";
import { playSound } from "./sound";
import { Wanted } from "./wanted";

/** The most notices that are read out at once. */
const mostSaid = 3;

/** Alerts by sound and desktop notification, and tells screen readers of new notices. */
export function Alerts() {
  const store = useStore();
  const me = useMe();
  const [, navigate] = useLocation();
  const [said, setSaid] = useState("");
  const wanted = useMemo(() => new Wanted(), []);
  useOnSignal("notice_preferences", () => wanted.forget());
  useEffect(() => store.line.subscribe(() => wanted.forget()), [store, wanted]);
  const hear = useMemo(() => {
    const inFront = () => document.visibilityState === "visible" && document.hasFocus();
    const choices = () => choicesOf(me.id).get();
    const gather = createCalls({
      claim: (name) => claim(`${store.state.get().workspace.id}.${me.id}`, name),
      known: (id) => store.state.get().conversations.get(id)?.value,
      read: (id) => store.loadConversation(id),
      follows: (id) => store.notices.told.get()?.following.has(id) ?? false,
      wants: (kind) => wanted.wants(kind),
      looksAt: (id) => inFront() && location.pathname === `/inbox/${id}`,
      make: (call) => {
        if (choices().sound) playSound();
        if (choices().notices && !inFront()) notify(call, () => navigate(inboxAddress(lastView(), call.conversationId)));
      },
    });
    return (news: News) => {
      if (choices().sound || choices().notices) gather(news);
    };
  }, [store, me.id, navigate, wanted]);
  useOnEvent(hear);
  useEffect(
    () =>
      store.notices.onNews((all) => {
        all.forEach(hear);
        setSaid(all.slice(-mostSaid).map(wordsOf).join(". "));
      }),
    [store, hear],
  );
  return (
    <div role="status" className="visually-hidden">
      {said}
    </div>
  );
}

function notify({ conversationId, title, text }: Call, open: () => void) {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  try {
    const notice = new Notification(title, { body: text, tag: conversationId, icon: "/assets/icon.svg" });
    notice.onclick = () => {
      window.focus();
      open();
      notice.close();
    };
  } catch {
    // Mobile browsers only have notifications of service workers.
  }
}
