import { AtSign } from "lucide-react";
import { useMemo } from "react";
import type { Member, Team } from "../api/types";
import { useMe, useSelect, useTeams } from "../sync";
import styles from "./Conversation.module.css";
import { namesIn, type Name } from "./mentions";
import { texts } from "./mentions.texts";
import { Words } from "./Words";

interface Props {
  content: string;
  marked: boolean;
  whole?: boolean;
  mentions: readonly string[];
}

/** The text of a note that names members. Those whose name it does not have, such as of members who were renamed, stand below. */
export function NoteWords({ mentions, ...rest }: Props) {
  const { content } = rest;
  const me = useMe();
  const teams = useTeams();
  const members = useSelect((state) => state.members);
  const former = useSelect((state) => state.formerMembers);
  const { found, unnamed } = useMemo(() => {
    const memberOf = (id: string) => (members.get(id) ?? former.get(id))?.value;
    const names = namesOf(mentions, memberOf, teams);
    const found = namesIn(content, names);
    const said = new Set(found.flatMap(({ name }) => name.memberIds));
    return { found, unnamed: mentions.flatMap((id) => (said.has(id) ? [] : (memberOf(id)?.name ?? []))) };
  }, [content, mentions, members, former, teams]);
  return (
    <>
      <Words {...rest} named={{ found, meId: me.id }} />
      {unnamed.length > 0 && (
        <div className={styles.foot}>
          <AtSign size={12} aria-hidden />
          {texts.unnamed(unnamed)}
        </div>
      )}
    </>
  );
}

/** The names that a message with these mentions may show, and how the author may have written them. */
export function namesOf(mentions: readonly string[], memberOf: (id: string) => Member | undefined, teams: readonly Team[]): Name[] {
  const people = mentions.flatMap((id) => {
    const member = memberOf(id);
    return member ? [member.name, `${member.name} (${member.email})`].map((label) => ({ id, label, detail: "", memberIds: [id] })) : [];
  });
  const groups = teams.filter(({ memberIds }) => memberIds.some((id) => mentions.includes(id)));
  return [...people, ...groups.map(({ id, name, memberIds }) => ({ id, label: name, detail: "", memberIds }))];
}
