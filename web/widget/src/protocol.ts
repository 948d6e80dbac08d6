// The messages between the script in the shop's page (tag) and the page in the
// frame. The frame greets its parent page; the tag answers with a port that is
// only for this server's origin, and everything else goes through that port.

export interface Hello {
  parley: "hello";
}
export interface Welcome {
  parley: "welcome";
  theme: Theme;
  open: boolean;
  /** The identity that the page has provided so far. */
  identity: string | null;
  /** The languages that the page wants (BCP 47), the best first. */
  languages: string[];
}
export type Theme = "light" | "dark" | "auto";

export type ToFrame =
  | { type: "open"; open: boolean /** Whether the customer asked for it, so that the focus may move there. */; focus: boolean }
  /** The pointer or the focus is at the button: the customer may be about to open the chat. */
  | { type: "near" }
  | { type: "identify"; token: string }
  | { type: "logout" }
  | { type: "language"; languages: string[] }
  | ({ type: "visit" } & PageVisit);

/** What the page says about its visitor. */
export interface PageVisit {
  page: string;
  title: string;
  referrer: string;
  /** From Parley("set", {…}). */
  facts: Record<string, unknown>;
}

export type ToTag =
  | Look
  | { type: "unread"; count: number /** The same in words. */; text: string }
  | { type: "close" }
  | { type: "identity"; state: IdentityState }
  | { type: "problem"; text: string };

/** `expired`: the session has ended, and the page should identify the customer again. */
export type IdentityState = "accepted" | "refused" | "expired";

/** How the tag draws its button, and what it calls it. */
export interface Look {
  type: "look";
  title: string;
  color: string;
  ink: string;
  position: "left" | "right";
  /** False hides the button: nobody may write here yet. */
  shown: boolean;
  language: string;
  /** What the button does, in that language. */
  open: string;
  close: string;
}
