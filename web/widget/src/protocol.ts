// What the script in the shop's page (tag) and the page in the frame say to each
// other. The frame says hello to whoever holds it; the tag answers with a port
// for this server's origin alone, and everything else goes through that port.

export interface Hello {
  parley: "hello";
}
export interface Welcome {
  parley: "welcome";
  theme: Theme;
  open: boolean;
  /** The identity that the page has named so far. */
  identity: string | null;
}
export type Theme = "light" | "dark" | "auto";

export type ToFrame =
  | { type: "open"; open: boolean /** Whether the customer asked for it, so that the focus may go there. */; focus: boolean }
  | { type: "identify"; token: string }
  | { type: "logout" };

export type ToTag =
  | { type: "look"; title: string; color: string; ink: string; position: "left" | "right" /** False hides the button: nobody may write here as yet. */; shown: boolean }
  | { type: "unread"; count: number }
  | { type: "close" }
  | { type: "identity"; state: IdentityState }
  | { type: "problem"; text: string };

/** `expired`: the session ended and the page should name the customer anew. */
export type IdentityState = "accepted" | "refused" | "expired";
