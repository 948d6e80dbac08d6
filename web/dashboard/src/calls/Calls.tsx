import { useEffect } from "react";
import { useLocation } from "wouter";
import type { LogEvent } from "../api/types";
import { inboxAddress } from "../inbox/views";
import { lastView } from "../inbox/lastview";
import { useToReadTitle } from "../kit";
import { choicesOf } from "../shell/choices";
import { useCounts, useMe, useOnEvent, useStore } from "../sync";
import { claim } from "./claim";
import { callOf, mayCall, type Call } from "./decide";
import { iconAddress, showIcon } from "./icon";
import { playSound } from "./sound";

/** Calls the member: in the window's name and icon, and, as they chose, by a sound and a notice of the desktop. It shows nothing on the page. */
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
  const call = async (event: LogEvent) => {
    const id = mayCall(event, me.id);
    const { sound, notices } = choicesOf(me.id).get();
    if (id === null || !(sound || notices)) return;
    if (!store.state.get().conversations.has(id)) await store.loadConversation(id);
    const conversation = store.state.get().conversations.get(id)?.value;
    const made = conversation && callOf(event, conversation, me.id);
    if (!made || !(await claim(`parley.call.${store.state.get().workspace.id}.${me.id}.${event.seq}`))) return;
    // Whoever looks at it knows.
    const inFront = document.visibilityState === "visible" && document.hasFocus();
    if (inFront && location.pathname === `/inbox/${id}`) return;
    if (sound) playSound();
    if (notices && !inFront) notify(made, () => navigate(inboxAddress(lastView(), id)));
  };
  useOnEvent((event) => {
    // What cannot be read calls nobody; it stays in the list.
    call(event).catch(() => undefined);
  });
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
    // A phone's browser knows notices of service workers only.
  }
}
