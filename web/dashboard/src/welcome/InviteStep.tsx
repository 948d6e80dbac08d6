import { useState } from "react";
import { api } from "../api/client";
import type { Invitation, NewInvitation, Role } from "../api/types";
import { Button, CopyField, Form, FormActions, FormError, SelectField, TextField, useForm } from "../kit";
import { roles, rolesToGive } from "../settings/roles";
import { useMe } from "../sync";
import { texts } from "./texts";

/** Creates invitations, whose links are shown once. */
export function InviteStep({ onMade }: { onMade: (invitation: Invitation) => void }) {
  const me = useMe();
  const [made, setMade] = useState<NewInvitation | null>(null);
  const first: { email: string; role: Role } = { email: "", role: "agent" };
  const form = useForm(first, async (values) => {
    const invitation = await api.post<NewInvitation>("/v1/dashboard/invitations", values);
    const { link: _, ...shown } = invitation;
    setMade(invitation);
    onMade(shown);
  });
  const another = () => {
    setMade(null);
    form.reset(first);
  };
  if (made) {
    return (
      <>
        <CopyField label={texts.invite.link(made.email)} value={new URL(made.link, window.location.origin).href} once />
        <div>
          <Button onClick={another}>{texts.invite.another}</Button>
        </div>
      </>
    );
  }
  return (
    <Form onSubmit={() => void form.submit()}>
      <p>{texts.invite.how}</p>
      <TextField label={texts.invite.email} type="email" autoComplete="off" {...form.field("email")} />
      <SelectField label={texts.invite.role} options={rolesToGive(me.role)} hint={roles.find(({ value }) => value === form.values.role)?.text} {...form.field("role")} />
      <FormError>{form.fault}</FormError>
      <FormActions>
        <Button type="submit" variant="primary" busy={form.busy}>
          {texts.invite.create}
        </Button>
      </FormActions>
    </Form>
  );
}
