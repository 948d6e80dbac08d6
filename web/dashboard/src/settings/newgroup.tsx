// Creating a group with customers, and the result for each of them.
import { useRef, useState } from "react";
import { api } from "../api/client";
import type { ChatNumber, Group } from "../api/numbers";
import { ButtonLink, Checkbox, CopyField, Dialog, FormDialog, SelectField, TextArea, TextField, useForm } from "../kit";
import { phonesOf, wrongPhone } from "./phones";
import css from "./settings.module.css";
import { texts } from "./numbers.texts";

const first = { name: "", participants: "", integrationId: "", sendInviteLink: false, message: "" };

export function NewGroupForm({ numbers, onClose }: { numbers: readonly ChatNumber[]; onClose: () => void }) {
  const [group, setGroup] = useState<Group | null>(null);
  // One key for the whole form: pressing again after a lost answer creates no second group.
  const once = useRef(crypto.randomUUID());
  const form = useForm(
    { ...first, integrationId: numbers[0]?.id ?? "" },
    async ({ name, participants, integrationId, sendInviteLink, message }) => {
      const body = { name, participants: phonesOf(participants), integrationId, sendInviteLink, ...(message.trim() && { message }) };
      setGroup(await api.post<Group>("/v1/public/chatapp/groups", body, { idempotencyKey: once.current }));
    },
    ({ name, participants }) => {
      const phones = phonesOf(participants);
      const wrong = wrongPhone(phones);
      return {
        ...(name.trim() === "" && { name: texts.newgroup.enterAName }),
        ...(phones.length === 0 && { participants: texts.newgroup.noParticipant }),
        ...(wrong !== undefined && { participants: texts.newgroup.noPhoneNumber(wrong) }),
      };
    },
  );
  const risky = numbers.some(({ id, driver }) => id === form.values.integrationId && driver !== "sandbox");
  if (group) return <Outcome group={group} onClose={onClose} />;
  return (
    <FormDialog title={texts.newgroup.newGroup} description={texts.newgroup.parleyCreatesTheGroup} action={texts.newgroup.createGroup} form={form} onClose={onClose} wide>
      <TextField label={texts.newgroup.groupName} autoFocus autoComplete="off" {...form.field("name")} />
      <TextArea label={texts.newgroup.participants} rows={4} hint={texts.newgroup.phoneNumbersWithTheir} inputMode="tel" {...form.field("participants")} />
      <SelectField
        label={texts.newgroup.hostedBy}
        options={numbers.map((number) => ({ value: number.id, label: number.driver === "sandbox" ? texts.newgroup.sandbox(number.phone) : number.phone }))}
        {...form.field("integrationId")}
      />
      <TextArea label={texts.newgroup.openingMessage} optional rows={3} {...form.field("message")} />
      <Checkbox label={texts.newgroup.sendTheInviteLink} hint={texts.newgroup.eachOfThemGets} checked={form.values.sendInviteLink} onChange={(on) => form.set("sendInviteLink", on)} />
      {risky && (
        <p className={css.warning}>
          <strong>{texts.newgroup.thisWhatsappClient}</strong> {texts.newgroup.creatingManyGroups}
        </p>
      )}
    </FormDialog>
  );
}

function Outcome({ group, onClose }: { group: Group; onClose: () => void }) {
  const lines: readonly [string, readonly string[]][] = [
    [texts.newgroup.added, group.added],
    [texts.newgroup.mustUseTheLink, group.invited],
    [texts.newgroup.linkSentTo, group.invites_sent],
    [texts.newgroup.notOnWhatsapp, group.not_on_chatapp],
  ];
  return (
    <Dialog
      open
      onClose={onClose}
      title={texts.newgroup.groupCreated}
      footer={
        <ButtonLink variant="primary" href={`/inbox/${group.conversation_id}`}>
          {texts.newgroup.openTheConversation}
        </ButtonLink>
      }
    >
      <div className={css.stack}>
        <dl className={css.outcome}>
          {lines
            .filter(([, phones]) => phones.length > 0)
            .map(([name, phones]) => (
              <div key={name} className={css.contents}>
                <dt>{name}</dt>
                <dd>{phones.map((phone) => `+${phone}`).join(", ")}</dd>
              </div>
            ))}
        </dl>
        {group.invite_link && <CopyField label={texts.newgroup.inviteLink} value={group.invite_link} />}
      </div>
    </Dialog>
  );
}
