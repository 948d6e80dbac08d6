// Offers names while one is typed, and says which of those in a note do not see the conversation.
import type { Conversation, Member, Team } from "../api/types";
import { best, score } from "../shell/ranking";
import { texts } from "./blind.texts";
import { beginsAt, mentionsIn, namesIn, type Found, type Name } from "./mentions";
import { seesIt } from "./sight";

/** How many characters behind an "@" are compared. */
const longestQuery = 40;

/**
 * The beginning of a name before the caret, and where its "@" is; null for none, and behind a whole name, unless it
 * begins a longer one.
 */
export function nameAt(text: string, caret: number, names: readonly Name[]): { start: number; query: string } | null {
  const from = Math.max(0, caret - longestQuery - 1);
  const at = text.slice(from, caret).lastIndexOf("@");
  if (at < 0) return null;
  const start = from + at;
  const query = text.slice(start + 1, caret);
  if (/^\s|\n/.test(query) || !beginsAt(text, start)) return null;
  const [whole] = namesIn(`@${query}`, names);
  const goesOn = query === query.trimEnd() && names.some(({ label }) => label.toLowerCase().startsWith(query.toLowerCase()));
  return whole && whole.end <= query.length && !goesOn ? null : { start, query };
}

/** The names that fit what is typed, the best first. Words after the first must begin words of the name. */
export function fittingNames(names: readonly Name[], query: string): Name[] {
  const spaced = /\s/.test(query);
  const ranked = ({ label, detail }: Name) => {
    const rank = Math.max(score(query, label), detail !== "" && detail.startsWith(query.toLowerCase()) ? 2 : 0);
    return spaced && rank < 3 ? 0 : rank;
  };
  return best(names, ranked).slice(0, 8);
}

/** How many members are said not to see a conversation. */
const mostBlind = 3;

/** The names in a note that tell somebody, and a sentence about the members who do not see the conversation; "" for none. */
export function toldIn(found: readonly Found[], members: readonly Member[], teams: readonly Team[], conversation: Conversation): { told: readonly Found[]; blind: string } {
  const named = new Set(mentionsIn(found));
  const blind = members.filter((member) => named.has(member.id) && !seesIt(member, teams, conversation));
  if (blind.length === 0) return { told: found, blind: "" };
  const unseen = new Set(blind.map(({ id }) => id));
  const told = found.filter(({ name }) => name.memberIds.some((id) => !unseen.has(id)));
  return {
    told,
    blind: texts.blind(
      blind.slice(0, mostBlind).map(({ name }) => name),
      Math.max(0, blind.length - mostBlind),
    ),
  };
}
