// What is done of the guided start, by the records alone.
import type { Inbox, Member, WidgetView } from "../api/types";
import { texts } from "./texts";

export type StepName = "names" | "site" | "message" | "invite";

export const stepNames: readonly StepName[] = ["names", "site", "message", "invite"];

export interface Facts {
  workspace: string;
  me: Pick<Member, "name" | "email">;
  members: number;
  invitations: number;
  inbox: Pick<Inbox, "id"> | undefined;
  views: readonly WidgetView[];
  conversations: number;
}

/** The name that a server gives its first workspace. */
const unnamed = "My company"; // eslint-disable-line parley/bare-strings -- the name that the server gives

/** The name that the server gives an owner: the first part of the e-mail address. */
export function givenName(email: string): string {
  return email.slice(0, Math.max(0, email.indexOf("@")));
}

/** The steps whose result is there. */
export function doneSteps(facts: Facts): ReadonlySet<StepName> {
  const { workspace, me, members, invitations, inbox, views, conversations } = facts;
  const done: Record<StepName, boolean> = {
    names: workspace !== unnamed && me.name !== givenName(me.email),
    site: inbox !== undefined && viewsOf(views, inbox.id).length > 0,
    message: conversations > 0,
    invite: members > 1 || invitations > 0,
  };
  return new Set(stepNames.filter((name) => done[name]));
}

/** The websites that have shown the widget of an inbox. */
export function viewsOf(views: readonly WidgetView[], inboxId: string): readonly WidgetView[] {
  return views.filter((view) => view.inboxId === inboxId);
}

/** The first step that is neither done nor skipped, nor the one that is being left; null for none. */
export function nextStep(done: ReadonlySet<StepName>, skipped: ReadonlySet<StepName>, left?: StepName): StepName | null {
  return stepNames.find((name) => name !== left && !done.has(name) && !skipped.has(name)) ?? null;
}

/** The host of an origin, as people write it. */
export function hostOf(origin: string): string {
  return origin.replace(/^https?:\/\//, "");
}

/** Where the chat was seen. */
export function seenText(views: readonly WidgetView[]): string {
  const hosts = views.flatMap(({ origin }) => (origin === null ? [] : [hostOf(origin)]));
  return hosts.length > 0 ? texts.site.seen(hosts.join(", ")) : texts.site.seenAnywhere;
}
