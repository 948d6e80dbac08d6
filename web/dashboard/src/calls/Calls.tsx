import { useEffect, useMemo } from "react";
import { useLocation } from "wouter";
import type { LogEvent } from "../api/types";
import { inboxAddress } from "../inbox/views";
import { lastView } from "../inbox/lastview";
import { useToReadTitle } from "../kit";
import { choicesOf } from "../shell/choices";
import { useCounts, useMe, useOnEvent, useStore } from "../sync";
import { claim } from "./claim";
import type { Call } from "./decide";
import { createCalls } from "./gather";
import { iconAddress, showIcon } from "./icon";
import { playSound } from "./sound";

/**
 * Alerts the member: in the title and icon of the window and, if they chose so, by a sound and a desktop notification.
 * It shows nothing on the page.
 */
export function Calls() {
  const store = useStore();
  const me = useMe();
  const [, navigate] = useLocation();
  const toRead = useCounts()?.toRead ?? 0;
  useToReadTitle(toRead);
  useEffect(() => {
    showIcon(iconAddress(toRead));
    return () => showIcon(iconAddress(0));
  }, [toRead]);
  const onEvent = useMemo(() => {
    const inFront = () => document.visibilityState === "visible" && document.hasFocus();
    const choices = () => choicesOf(me.id).get();
    const gather = createCalls({
      meId: me.id,
      claim: (seq) => claim(`parley.call.${store.state.get().workspace.id}.${me.id}.${seq}`),
      known: (id) => store.state.get().conversations.get(id)?.value,
      read: (id) => store.loadConversation(id),
      looksAt: (id) => inFront() && location.pathname === `/inbox/${id}`,
      make: (call) => {
        if (choices().sound) playSound();
        if (choices().notices && !inFront()) notify(call, () => navigate(inboxAddress(lastView(), call.conversationId)));
      },
    });
    return (event: LogEvent) => (choices().sound || choices().notices) && gather(event);
  }, [store, me.id, navigate]);
  useOnEvent(onEvent);
  return null;
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
