import { useEffect, useMemo, useState } from "react";
import { useLocation } from "wouter";
import { inboxAddress } from "../inbox/views";
import { lastView } from "../inbox/lastview";
import { wordsOf } from "../notices/words";
import { choicesOf } from "../shell/choices";
import { useMe, useOnEvent, useOnSignal, useStore } from "../sync";
import { claim } from "./claim";
import { createCalls, type News } from "./gather";
import { closeCalls, onOpenCall, showCall } from "./show";
import { playSound } from "./sound";
import { Wanted } from "./wanted";

/** The most notices that are read out at once. */
const mostSaid = 3;

/** Alerts by sound and desktop notification, and tells screen readers of new notices. */
export function Alerts() {
  const store = useStore();
  const me = useMe();
  const [path, navigate] = useLocation();
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
        if (choices().notices && !inFront()) {
          showCall(call, () => navigate(inboxAddress(lastView(), call.conversationId))).catch(() => undefined); // the title tells
        }
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
  useEffect(() => onOpenCall((id) => navigate(inboxAddress(lastView(), id))), [navigate]);
  const open = path.match(/^\/inbox\/([^/]+)$/)?.[1];
  useEffect(() => {
    if (open) closeCalls(open).catch(() => undefined); // it stays until the member closes it
  }, [open]);
  return (
    <div role="status" className="visually-hidden">
      {said}
    </div>
  );
}
