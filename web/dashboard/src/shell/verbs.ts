// What the palette can do besides the commands of the mounted components: verbs with an argument, and every place.
import { useLocation } from "wouter";
import type { ConversationChange, Priority, Status } from "../api/types";
import { inboxName } from "../inbox/channel";
import { priorityNames } from "../inbox/Priority";
import { useSavedViews } from "../inbox/savedviews";
import { texts as teamTexts } from "../inbox/teams.texts";
import { statusNames } from "../inbox/valuename";
import { builtIn, inboxAddress, savedFilter } from "../inbox/views";
import { parseWhen, presets } from "../inbox/when";
import { dayTime } from "../kit";
import { groups } from "../settings/pages";
import { isAtLeast } from "../settings/roles";
import { useInboxes, useLabels, useMe, useMembers, useProducts, useTeams } from "../sync";
import type { Command } from "./commands";
import { useCurrent, type Current } from "./current";
import { texts } from "./palette.texts";
import type { Choice, Verb } from "./ranking";
import { setTheme, type Theme } from "./theme";

/** Every place that has an address, and the themes. */
export function usePlaces(): Command[] {
  const { role } = useMe();
  const saved = useSavedViews();
  const inboxes = useInboxes();
  const products = useProducts().filter((product) => !product.archived);
  const teams = useTeams();
  const labels = useLabels();
  const [, navigate] = useLocation();
  const place = (href: string, label: string): Command => ({ id: `go.${href}`, label, group: texts.goTo, keys: "", run: () => navigate(href) });
  const theme = (to: Theme): Command => ({ id: `theme.${to}`, label: texts[to], group: texts.look, keys: "", run: () => setTheme(to) });
  return [
    ...builtIn.map(({ name, view }) => place(inboxAddress(view), name)),
    ...saved.map((view) => place(inboxAddress(savedFilter(view)), [view.name, teams.find(({ id }) => id === view.teamId)?.name].filter(Boolean).join(" · "))),
    ...inboxes.map((inbox) => place(inboxAddress({ status: "open", inboxId: inbox.id }), texts.inbox(inboxName(inbox)))),
    ...products.map((product) => place(inboxAddress({ status: "open", productId: product.id }), texts.productView(product.name))),
    place(inboxAddress({ status: "open", productId: "none" }), texts.withoutAProduct),
    ...teams.map((team) => place(inboxAddress({ status: "open", teamId: team.id }), texts.teamTo(team.name))),
    ...labels.map((label) => place(inboxAddress({ status: "open", label: label.name }), texts.labelView(label.name))),
    ...groups.flatMap(({ entries }) => entries.filter((entry) => isAtLeast(role, entry.role)).map(({ path, label }) => place(`/settings/${path}`, texts.settings(label)))),
    ...(["light", "dark", "system"] as const).map(theme),
  ];
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The verbs that take an argument now. */
export function useVerbs(places: readonly Command[]): Verb[] {
  const [, navigate] = useLocation();
  const current = useCurrent();
  const ofConversation = useConversationVerbs(current);
  const go = (text: string): readonly Choice[] => (uuid.test(text) ? [{ id: `open.${text}`, label: texts.openConversation, run: () => navigate(inboxAddress({ status: "open" }, text)) }] : []);
  const names = texts.verbs;
  return [
    ...ofConversation,
    { names: names.go, choices: go },
    { names: names.go, choices: places.filter(({ group }) => group === texts.goTo) },
    { names: names.theme, choices: places.filter(({ group }) => group === texts.look) },
  ];
}

function useConversationVerbs(current: Current | null): Verb[] {
  const me = useMe();
  const members = useMembers();
  const products = useProducts();
  const teams = useTeams();
  const labels = useLabels();
  if (!current) return [];
  const { conversation, change } = current;
  const names = texts.verbs;
  const choice = (say: (name: string) => string, name: string, to: ConversationChange): Choice => ({ id: say(name), label: say(name), name, run: () => change(to) });
  const own = conversation.labels;
  const snooze = (text: string): Choice[] => {
    const now = Date.now();
    const typed = text === "" ? null : parseWhen(text, now);
    const times = text === "" ? presets(now).map(({ at }) => at) : typed === null ? [] : [typed];
    return times.map((at) => choice(texts.snoozeUntil, dayTime(at), { snoozedUntil: new Date(at).toISOString() }));
  };
  return [
    {
      names: names.assign,
      choices: [
        choice(texts.assignTo, texts.me(me.name), { assigneeId: me.id }),
        ...members.filter(({ id }) => id !== me.id).map(({ id, name }) => choice(texts.assignTo, name, { assigneeId: id })),
        choice(texts.assignTo, texts.nobody, { assigneeId: null }),
      ],
    },
    { names: names.status, choices: (["open", "pending", "resolved"] as Status[]).map((status) => choice(texts.statusTo, statusNames[status] ?? status, { status })) },
    {
      names: names.priority,
      choices: [
        ...(["urgent", "high", "medium", "low"] as Priority[]).map((priority) => choice(texts.priorityTo, priorityNames[priority], { priority })),
        choice(texts.priorityTo, texts.noPriority, { priority: null }),
      ],
    },
    {
      names: names.product,
      choices: [...products.filter(({ archived }) => !archived).map(({ id, name }) => choice(texts.productTo, name, { productId: id })), choice(texts.productTo, texts.noProduct, { productId: null })],
    },
    { names: names.team, choices: teams.length === 0 ? [] : [...teams.map(({ id, name }) => choice(texts.teamTo, name, { teamId: id })), choice(texts.teamTo, teamTexts.noneSaid, { teamId: null })] },
    { names: names.label, choices: labels.filter(({ name }) => !own.includes(name)).map(({ name }) => choice(texts.addLabel, name, { labels: [...own, name] })) },
    { names: names.unlabel, choices: own.map((name) => choice(texts.removeLabel, name, { labels: own.filter((other) => other !== name) })) },
    { names: names.snooze, choices: snooze },
  ];
}
