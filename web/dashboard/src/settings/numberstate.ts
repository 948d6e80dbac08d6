// The state of a WhatsApp number, in words.
import type { ChatNumber } from "../api/numbers";
import { fullTime, type Tone } from "../kit";
import { texts } from "./numberstate.texts";

export interface Standing {
  label: string;
  tone: Tone;
  /** What it means and what to do; "" if the label says everything. */
  note: string;
}

/** The description of a number at a time in ms. */
export function standingOf(number: ChatNumber, now: number): Standing {
  const because = number.reason === "" ? "" : sentenceOf(number.reason);
  switch (number.status) {
    case "connected":
      if (number.restrictedUntil !== null && Date.parse(number.restrictedUntil) > now) {
        return { label: texts.restricted, tone: "warn", note: join(texts.restrictedUntil(fullTime(number.restrictedUntil)), because) };
      }
      return { label: texts.connected, tone: "ok", note: because };
    case "pairing":
      return { label: texts.pairing, tone: "info", note: texts.waitsForThePhone };
    case "logged_out":
      return { label: texts.loggedOut, tone: "danger", note: join(because, texts.pairItAgain) };
    case "banned":
      return {
        label: texts.banned,
        tone: "danger",
        note: join(number.until === null ? texts.untilUnknown : texts.until(fullTime(number.until)), because, texts.messagesWaitUntilThen),
      };
    case "outdated":
      return { label: texts.needsANewerParley, tone: "danger", note: texts.updateTheServer };
    case "disconnected":
      if (!number.paired) return { label: texts.notPaired, tone: "warn", note: join(because, texts.pairIt) };
      if (!number.enabled) return { label: texts.disconnected, tone: "neutral", note: texts.messagesWait };
      return { label: texts.connecting, tone: "warn", note: because };
  }
}

/** A reason as a sentence. The network's reasons start with a code, which is useful only for looking it up. */
function sentenceOf(text: string): string {
  const said = text.replace(/^(\d{3}): (.+)$/, "$2 ($1)");
  const upper = said.charAt(0).toUpperCase() + said.slice(1);
  return /[.!?]$/.test(upper) ? upper : `${upper}.`;
}

function join(...parts: string[]): string {
  return parts.filter((part) => part !== "").join(" ");
}

export type NumberAction = "pair" | "reconnect" | "disconnect" | "logOut";

/** The possible actions for a number, the most likely first. */
export function actionsOf({ driver, status, enabled, paired }: ChatNumber): NumberAction[] {
  if (status === "pairing") return [];
  if (!paired) return ["pair"];
  const actions: NumberAction[] = [enabled ? "disconnect" : "reconnect"];
  if (driver === "whatsapp") actions.push("logOut");
  return actions;
}
