import { UsersRound } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { Avatar } from "../kit";
import { script } from "../kit/chunk";
import { useMe, useMember, useMembers, useTeams } from "../sync";
import type { Conversation } from "../api/types";
import { mentionsIn, mostMentions, namesFor, namesIn, type Name } from "./mentions";
import { texts } from "./mentions.texts";
import { OfferList, useOffers, type Offers } from "./offers";
import { noteWords } from "./Words";

export interface Naming {
  offers: Offers<Name>;
  /** The members whom the text names, if it is a note. */
  mentions: readonly string[];
  tooMany: boolean;
  /** What the names in the text do; "" if there are none. */
  hint: string;
}

const naming = script(() => import("./naming"));

/** How many names the hint has. */
const mostSaid = 3;

/** Offers members and teams behind an "@" in a note, and says whom the text names, and who of them does not see the conversation. */
export function useNaming(text: string, note: boolean, conversation: Conversation, onInsert: (words: string, from: number, to: number) => void): Naming {
  const me = useMe();
  const members = useMembers();
  const teams = useTeams();
  const names = useMemo(() => namesFor(members, teams, me.id), [members, teams, me.id]);
  const found = useMemo(() => namesIn(text, names), [text, names]);
  const [rules, setRules] = useState<Awaited<ReturnType<typeof naming>>>(null);
  const asks = note && text.includes("@");
  useEffect(() => {
    if (!asks) return;
    void naming().then(setRules);
    void noteWords(); // for the note, which may be written without a network
  }, [asks]);
  const offers = useOffers<Name>({
    askedAt: (caret) => (asks && rules ? rules.nameAt(text, caret, names) : null),
    fitting: (query) => rules?.fittingNames(names, query) ?? [],
    onInsert: ({ label }, from, to) => onInsert(/^[ \n]/.test(text.slice(to)) ? `@${label}` : `@${label} `, from, to),
  });
  const mentions = note ? mentionsIn(found) : [];
  const { told = found, blind = "" } = rules?.toldIn(found, members, teams, conversation) ?? {};
  const labels = [...new Set(told.map(({ name }) => name.label))];
  const tooMany = mentions.length > mostMentions;
  const said = () => {
    if (tooMany) return texts.tooMany(mostMentions, mentions.length);
    if (!note) return texts.onlyNotes;
    return labels.length === 0 ? blind : `${texts.tells(labels.slice(0, mostSaid), Math.max(0, labels.length - mostSaid))} ${blind}`.trimEnd();
  };
  return { offers, mentions, tooMany, hint: found.length === 0 ? "" : said() };
}

export function MentionList({ offers }: { offers: Offers<Name> }) {
  return <OfferList offers={offers} label={texts.list} render={(name) => <Offered name={name} />} />;
}

function Offered({ name: { id, label, detail, memberIds } }: { name: Name }) {
  const member = useMember(id);
  return (
    <>
      {member ? <Avatar id={id} name={member.name} image={member.image} size={20} /> : <UsersRound size={16} aria-hidden />}
      <b dir="auto">{member?.name ?? label}</b>
      <span>{member ? detail : texts.team(memberIds.length)}</span>
    </>
  );
}
