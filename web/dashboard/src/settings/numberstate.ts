// How a WhatsApp number is doing, in words.
import type { ChatNumber } from "../api/numbers";
import { fullTime, type Tone } from "../kit";

export interface Standing {
  label: string;
  tone: Tone;
  /** What it means and what to do; "" where the label says all. */
  note: string;
}

/** What is said of a number at a time in ms. */
export function standingOf(number: ChatNumber, now: number): Standing {
  const because = number.reason === "" ? "" : sentenceOf(number.reason);
  switch (number.status) {
    case "connected":
      if (number.restrictedUntil !== null && Date.parse(number.restrictedUntil) > now) {
        return { label: "Restricted", tone: "warn", note: join(`Until ${fullTime(number.restrictedUntil)} it can write only to people who wrote to it.`, because) };
      }
      return { label: "Connected", tone: "ok", note: because };
    case "pairing":
      return { label: "Pairing", tone: "info", note: "Waiting for someone with the phone." };
    case "logged_out":
      return { label: "Logged out", tone: "danger", note: join(because, "Pair it again to connect it.") };
    case "banned":
      return {
        label: "Banned",
        tone: "danger",
        note: join(number.until === null ? "It is unknown until when." : `Until ${fullTime(number.until)}.`, because, "Messages wait until then."),
      };
    case "outdated":
      return { label: "Needs a newer Parley", tone: "danger", note: "WhatsApp requires a newer version. Update the server; messages wait until then." };
    case "disconnected":
      if (!number.paired) return { label: "Not paired", tone: "warn", note: join(because, "Pair it with its phone to connect it.") };
      if (!number.enabled) return { label: "Disconnected", tone: "neutral", note: "Messages wait until it is connected again." };
      return { label: "Connecting", tone: "warn", note: because };
  }
}

/** A reason as a sentence. The network's begin with their code, which only helps whoever looks it up. */
function sentenceOf(text: string): string {
  const said = text.replace(/^(\d{3}): (.+)$/, "$2 ($1)");
  const upper = said.charAt(0).toUpperCase() + said.slice(1);
  return /[.!?]$/.test(upper) ? upper : `${upper}.`;
}

function join(...parts: string[]): string {
  return parts.filter((part) => part !== "").join(" ");
}

export type NumberAction = "pair" | "reconnect" | "disconnect" | "logOut";

/** What can be done with a number, the most likely first. */
export function actionsOf({ driver, status, enabled, paired }: ChatNumber): NumberAction[] {
  if (status === "pairing") return [];
  if (!paired) return ["pair"];
  const actions: NumberAction[] = [enabled ? "disconnect" : "reconnect"];
  if (driver === "whatsapp") actions.push("logOut");
  return actions;
}
