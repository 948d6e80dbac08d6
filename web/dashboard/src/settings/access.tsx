// Which conversations an agent sees: all, or those of some inboxes, the agent's teams, and those assigned.
import { api } from "../api/client";
import type { Access, Member } from "../api/types";
import { inboxName } from "../inbox/channel";
import { FormDialog, SelectField, useForm } from "../kit";
import { useInboxes, useLearn } from "../sync";
import { texts } from "./access.texts";
import { Several } from "./several";

export interface Sight {
  access: Access;
  inboxIds: string[];
}

interface Props {
  value: Sight;
  error: string | undefined;
  onChange: (value: Sight) => void;
}

/** The fields of a form. */
export function AccessFields({ value, error, onChange }: Props) {
  const inboxes = useInboxes();
  const options = [
    { value: "all" as const, label: texts.all },
    { value: "own" as const, label: texts.own },
  ];
  return (
    <>
      <SelectField
        label={texts.sees}
        value={value.access}
        options={options}
        hint={value.access === "own" ? texts.ownHint : undefined}
        onChange={(access) => onChange({ access, inboxIds: access === "own" ? value.inboxIds : [] })}
      />
      {value.access === "own" && (
        <Several
          title={texts.inboxes}
          none={texts.noInboxes}
          items={inboxes.map((inbox) => ({ id: inbox.id, name: inboxName(inbox) }))}
          chosen={value.inboxIds}
          error={error}
          onChange={(inboxIds) => onChange({ ...value, inboxIds })}
        />
      )}
    </>
  );
}

/** Changes what a member sees. */
export function AccessDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const learn = useLearn();
  const form = useForm<Sight>({ access: member.access, inboxIds: member.inboxIds }, async (values) => {
    learn("member", await api.patch<Member>(`/v1/dashboard/members/${member.id}`, values));
    onClose();
  });
  return (
    <FormDialog title={texts.changeTitle(member.name)} action={texts.save} form={form} onClose={onClose}>
      <AccessFields
        value={form.values}
        error={form.errors.inboxIds}
        onChange={({ access, inboxIds }) => {
          form.set("access", access);
          form.set("inboxIds", inboxIds);
        }}
      />
    </FormDialog>
  );
}
