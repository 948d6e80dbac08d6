// The shapes of the server's JSON about numbers of the messaging application
// and their groups, as api/openapi.yaml and api/dashboard.yaml describe them.
import type { Time } from "./types";

export type NumberStatus = "connected" | "disconnected" | "pairing" | "logged_out" | "banned" | "outdated";
/** A WhatsApp number, or a sandbox that plays one. */
export interface ChatNumber {
  id: string;
  phone: string;
  driver: "sandbox" | "whatsapp";
  status: NumberStatus;
  /** The end of a ban; null where nobody knows it. */
  until: Time | null;
  /** It may not write first to strangers until then. */
  restrictedUntil: Time | null;
  /** Why it has its status, for people; "" for no reason. */
  reason: string;
  /** False: somebody disconnected it. */
  enabled: boolean;
  /** False: it must be paired with its phone before it connects. */
  paired: boolean;
  inboxId: string;
  createdAt: Time;
  updatedAt: Time;
}
export type PairBy = "qr" | "code";
/** The last three are ends. */
export type PairingKind = "starting" | "qr_code" | "phone_code" | "paired" | "expired" | "refused";
/** The newest step of a number's pairing with its phone. */
export interface Pairing {
  numberId: string;
  by: PairBy;
  kind: PairingKind;
  /** A secret: the text of the QR code, or "XXXX-XXXX". */
  code: string;
  /** The QR code's rows of "0" and "1" (dark), without its margin. */
  matrix: string[];
  until: Time | null;
  reason: string;
  updatedAt: Time;
}
/** The stream's word that a pairing went on; "" is its end by somebody. It holds no code. */
export interface PairingNews {
  numberId: string;
  kind: PairingKind | "";
  until: Time | null;
}
export type BudgetName = "groupsPerHour" | "groupsPerDay" | "addsPerHour" | "invitesPerHour" | "sendsPerMinute";
/** How much a number may do, and has done; a limit of null bounds nothing. */
export interface Budget {
  budget: BudgetName;
  limit: number | null;
  default: number | null;
  used: number;
}
export interface Group {
  group_jid: string;
  conversation_id: string;
  invite_link: string;
  added: string[];
  invited: string[];
  invites_sent: string[];
  not_on_chatapp: string[];
}
