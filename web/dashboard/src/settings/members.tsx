// The members of the workspace, and its invitations.
import { Eye, KeyRound, Mail, Monitor, MoreHorizontal, ShieldOff, UserMinus, UserPlus, X } from "lucide-react";
import { useState } from "react";
import { api } from "../api/client";
import type { Invitation, List, MailPage, Member, NewInvitation, Role, SecondFactors } from "../api/types";
import { useQuery } from "../api/useQuery";
import {
  Avatar,
  Badge,
  Button,
  Checkbox,
  ConfirmDialog,
  CopyField,
  Dialog,
  FormDialog,
  IconButton,
  Menu,
  Page,
  Section,
  SelectField,
  shortDate,
  TextField,
  useAction,
  useForm,
  useToast,
} from "../kit";
import { useLearn, useMe, useMembers } from "../sync";
import { AccessDialog, AccessFields, type Sight } from "./access";
import { texts as accessTexts } from "./access.texts";
import { mailsPath } from "./mails";
import { texts as mailTexts } from "./mails.texts";
import { LeavingDialog } from "./memberkeys";
import { RowActions, Rows, RowText } from "./parts";
import { manages, roleName, roles, rolesFor, rolesToGive } from "./roles";
import { factorsPath } from "./secondfactor";
import { texts as factorTexts } from "./secondfactor.texts";
import { MemberSessionsDialog } from "./sessions";
import { texts as sessionTexts } from "./sessions.texts";
import css from "./settings.module.css";
import { texts } from "./texts";
import { locale } from "../kit/texts";

const invitationsPath = "/v1/dashboard/invitations";

export function MembersPage() {
  const invitations = useQuery<List<Invitation>>(invitationsPath);
  const sender = useQuery<MailPage>(mailsPath, { limit: 1 }).data?.sender ?? null;
  const [inviting, setInviting] = useState(false);
  const [made, setMade] = useState<NewInvitation | null>(null);
  const open = invitations.data?.data;
  const set = (change: (open: Invitation[]) => Invitation[]) => open && invitations.set({ data: change(open) });

  function keep(invitation: NewInvitation) {
    const { link: _, ...shown } = invitation;
    set((others) => [shown, ...others.filter((other) => other.memberId === null || other.memberId !== shown.memberId)]);
    setInviting(false);
    setMade(invitation);
  }

  return (
    <Page
      title={texts.members.members}
      description={texts.members.whoWorksInThisWorkspace}
      actions={
        <Button variant="primary" icon={<UserPlus size={16} />} onClick={() => setInviting(true)}>
          {texts.members.invite}
        </Button>
      }
    >
      <MemberRows sender={sender} onReset={keep} />
      <Section title={texts.members.openInvitations} description={sender === null ? texts.members.eachLinkWorksOnceParley : mailTexts.eachLink}>
        <InvitationRows rows={open} error={invitations.error} onRetry={invitations.reload} onEnded={(id) => set((others) => others.filter((other) => other.id !== id))} />
      </Section>
      {inviting && <InviteForm sender={sender} onMade={keep} onClose={() => setInviting(false)} />}
      <LinkDialog invitation={made} onClose={() => setMade(null)} />
    </Page>
  );
}

function MemberRows({ sender, onReset }: { sender: string | null; onReset: (invitation: NewInvitation) => void }) {
  const me = useMe();
  const learn = useLearn();
  const [removing, setRemoving] = useState<Member | null>(null);
  const [choosing, setChoosing] = useState<Member | null>(null);
  const [demoting, setDemoting] = useState<Member | null>(null);
  const [showing, setShowing] = useState<Member | null>(null);
  const [resetting, setResetting] = useState<Member | null>(null);
  const factors = useQuery<SecondFactors>(factorsPath);
  const hasFactor = (member: Member) => factors.data?.memberIds.includes(member.id) ?? false;
  const { run } = useAction();
  const toast = useToast();
  const members = [...useMembers()].sort((a, b) => a.name.localeCompare(b.name, locale));

  async function reset(member: Member, mail: boolean) {
    const made = await api.post<NewInvitation>(`/v1/dashboard/members/${member.id}/reset`, { mail });
    if (!mail) onReset(made);
  }
  async function resetFactor(member: Member) {
    await api.delete<Member>(`/v1/dashboard/members/${member.id}/second-factor`);
    factors.reload();
    toast.done(factorTexts.members.isReset(member.name));
  }
  async function remove(member: Member) {
    learn("member", await api.delete<Member>(`/v1/dashboard/members/${member.id}`), "deleted");
  }
  async function give(member: Member, role: Role) {
    learn("member", await api.patch<Member>(`/v1/dashboard/members/${member.id}`, { role }));
  }

  return (
    <>
      <Rows label={texts.members.members} rows={members} keyOf={(member) => member.id} empty={{ title: texts.members.noMembers, text: "" }}>
        {(member) => (
          <>
            <Avatar id={member.id} name={member.name} image={member.image} size={36} />
            <RowText
              name={member.name}
              badges={
                <>
                  {member.id === me.id && <Badge tone="accent">{texts.members.you}</Badge>}
                  {member.access === "own" && <Badge>{accessTexts.someOnly}</Badge>}
                  {hasFactor(member) && <Badge>{factorTexts.members.has}</Badge>}
                </>
              }
              note={member.email}
            />
            <RowActions>
              {rolesFor(me, member).length > 0 ? (
                <SelectField
                  label={texts.members.role(member.name)}
                  hideLabel
                  value={member.role}
                  options={rolesFor(me, member)}
                  onChange={(role) => {
                    // An agent can neither see nor revoke keys.
                    if (role === "agent" && member.role !== "agent") setDemoting(member);
                    else void run(() => give(member, role), texts.members.isNow(member.name, roleName(role).toLowerCase()));
                  }}
                />
              ) : (
                <Badge>{roleName(member.role)}</Badge>
              )}
              {manages(me.role, member.role) && member.id !== me.id && (
                <Menu
                  button={<IconButton label={texts.members.moreAbout(member.name)} icon={<MoreHorizontal size={16} />} />}
                  entries={[
                    ...(member.role === "agent" ? [{ label: accessTexts.change, icon: <Eye size={15} />, onSelect: () => setChoosing(member) }] : []),
                    { label: sessionTexts.show, icon: <Monitor size={15} />, onSelect: () => setShowing(member) },
                    { label: texts.members.createAPasswordReset, icon: <KeyRound size={15} />, onSelect: () => void run(() => reset(member, false), texts.members.linkCreated) },
                    ...(sender === null ? [] : [{ label: mailTexts.resetByMail, icon: <Mail size={15} />, onSelect: () => void run(() => reset(member, true), mailTexts.waits) }]),
                    ...(hasFactor(member) ? [{ label: factorTexts.members.reset, icon: <ShieldOff size={15} />, onSelect: () => setResetting(member) }] : []),
                    { label: texts.members.removeFromTheWorkspace, icon: <UserMinus size={15} />, danger: true, onSelect: () => setRemoving(member) },
                  ]}
                />
              )}
            </RowActions>
          </>
        )}
      </Rows>
      {removing && (
        <LeavingDialog
          member={removing}
          title={texts.members.remove(removing.name)}
          text={texts.members.theirSessionsEndWithin}
          action={texts.members.removeMember}
          done={texts.members.isRemoved(removing.name)}
          onConfirm={() => remove(removing)}
          onClose={() => setRemoving(null)}
        />
      )}
      {showing && <MemberSessionsDialog member={showing} onClose={() => setShowing(null)} />}
      {resetting && (
        <ConfirmDialog open onClose={() => setResetting(null)} title={factorTexts.members.resetQuestion(resetting.name)} action={factorTexts.members.reset} onConfirm={() => resetFactor(resetting)}>
          {factorTexts.members.resetWhy}
        </ConfirmDialog>
      )}
      {choosing && <AccessDialog member={choosing} onClose={() => setChoosing(null)} />}
      {demoting && (
        <LeavingDialog
          member={demoting}
          title={texts.members.makeAnAgent(demoting.name)}
          text={texts.members.theyCanAnswer}
          action={texts.members.makeAgent}
          done={texts.members.isAgentNow(demoting.name)}
          onConfirm={() => give(demoting, "agent")}
          onClose={() => setDemoting(null)}
        />
      )}
    </>
  );
}

interface InvitationRowsProps {
  rows: readonly Invitation[] | undefined;
  error: unknown;
  onRetry: () => void;
  onEnded: (id: string) => void;
}

function InvitationRows({ rows, error, onRetry, onEnded }: InvitationRowsProps) {
  const me = useMe();
  const { run } = useAction();
  const end = (invitation: Invitation) => api.delete(`${invitationsPath}/${invitation.id}`).then(() => onEnded(invitation.id));
  return (
    <Rows
      label={texts.members.openInvitations}
      rows={rows}
      error={error}
      onRetry={onRetry}
      keyOf={(invitation) => invitation.id}
      empty={{ title: texts.members.noOpenInvitations, text: texts.members.whatInvitationsAreFor }}
    >
      {(invitation) => (
        <>
          <RowText
            name={invitation.email}
            badges={<Badge tone={invitation.memberId ? "warn" : "neutral"}>{invitation.memberId ? texts.members.newPassword : roleName(invitation.role)}</Badge>}
            note={texts.members.invited(invitation.invitedBy?.name, shortDate(invitation.expiresAt))}
          />
          <RowActions>
            {manages(me.role, invitation.role) && (
              <IconButton label={texts.members.withdrawTheInvitation(invitation.email)} icon={<X size={15} />} onClick={() => void run(() => end(invitation), texts.members.withdrawn)} />
            )}
          </RowActions>
        </>
      )}
    </Rows>
  );
}

function InviteForm({ sender, onMade, onClose }: { sender: string | null; onMade: (invitation: NewInvitation) => void; onClose: () => void }) {
  const me = useMe();
  // Who the mails come from may be known only after the form was opened.
  const form = useForm<{ email: string; role: Role; mail: boolean | null } & Sight>(
    { email: "", role: "agent", mail: null, access: "all", inboxIds: [] },
    async ({ access, inboxIds, mail, ...who }) => {
      const values = { ...who, mail: mail ?? sender !== null };
      onMade(await api.post<NewInvitation>(invitationsPath, who.role === "agent" ? { ...values, access, inboxIds } : values));
    },
  );
  return (
    <FormDialog title={texts.members.inviteAMember} description={texts.members.youGetALink} action={texts.members.createLink} form={form} onClose={onClose}>
      <TextField label={texts.members.eMailAddress} type="email" autoFocus autoComplete="off" {...form.field("email")} />
      <SelectField label={texts.members.roleLabel} options={rolesToGive(me.role)} hint={roles.find(({ value }) => value === form.values.role)?.text} {...form.field("role")} />
      {form.values.role === "agent" && (
        <AccessFields
          value={form.values}
          error={form.errors.inboxIds}
          onChange={({ access, inboxIds }) => {
            form.set("access", access);
            form.set("inboxIds", inboxIds);
          }}
        />
      )}
      {sender !== null && <Checkbox label={mailTexts.byMail} hint={mailTexts.byMailHint(sender)} checked={form.values.mail ?? true} onChange={(mail) => form.set("mail", mail)} />}
    </FormDialog>
  );
}

function LinkDialog({ invitation, onClose }: { invitation: NewInvitation | null; onClose: () => void }) {
  return (
    <Dialog
      open={invitation !== null}
      onClose={onClose}
      title={invitation?.memberId ? texts.members.newPasswordTitle : texts.members.theInvitationIsReady}
      description={invitation && texts.members.giveThisLink(invitation.email)}
      footer={
        <Button variant="primary" onClick={onClose}>
          {texts.members.done}
        </Button>
      }
    >
      {invitation && (
        <div className={css.stack}>
          <CopyField label={texts.members.link} value={new URL(invitation.link, window.location.origin).href} once />
          <p className={css.quiet}>{texts.members.worksUntil(shortDate(invitation.expiresAt))}</p>
        </div>
      )}
    </Dialog>
  );
}
