// Groups of members, and which inboxes and products lead to them.
import { Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { api } from "../api/client";
import type { LabelColor, Team } from "../api/types";
import { inboxName } from "../inbox/channel";
import { inboxAddress } from "../inbox/views";
import { Button, ButtonLink, ConfirmDialog, FormDialog, IconButton, LabelChip, Page, TextField, useForm } from "../kit";
import { useInboxes, useLearn, useMembers, useProducts, useTeams } from "../sync";
import { ColorField } from "./ColorField";
import { RowActions, Rows, RowText } from "./parts";
import { Several } from "./several";
import { texts } from "./teams.texts";

const path = "/v1/dashboard/teams";

export function TeamsPage() {
  const teams = useTeams();
  const learn = useLearn();
  const inboxes = useInboxes();
  const products = useProducts();
  const [editing, setEditing] = useState<Team | "new" | null>(null);
  const [deleting, setDeleting] = useState<Team | null>(null);

  async function remove(team: Team) {
    await api.delete(`${path}/${team.id}`);
    learn("team", team, "deleted");
  }

  const noteOf = ({ memberIds, inboxIds, productIds }: Team) =>
    [texts.count(memberIds.length), ...inboxes.filter(({ id }) => inboxIds.includes(id)).map(inboxName), ...products.filter(({ id }) => productIds.includes(id)).map(({ name }) => name)].join(" · ");

  return (
    <Page
      title={texts.teams}
      description={texts.description}
      actions={
        <Button variant="primary" icon={<Plus size={16} />} onClick={() => setEditing("new")}>
          {texts.newTeam}
        </Button>
      }
    >
      <Rows label={texts.teams} rows={teams} keyOf={(team) => team.id} empty={{ title: texts.none, text: texts.whatFor }}>
        {(team) => (
          <>
            <RowText name={<LabelChip name={team.name} color={team.color} />} note={noteOf(team)} />
            <RowActions>
              <ButtonLink href={inboxAddress({ status: "open", teamId: team.id })} variant="ghost" size="sm">
                {texts.conversations}
              </ButtonLink>
              <IconButton label={texts.edit(team.name)} icon={<Pencil size={15} />} onClick={() => setEditing(team)} />
              <IconButton label={texts.remove(team.name)} icon={<Trash2 size={15} />} onClick={() => setDeleting(team)} />
            </RowActions>
          </>
        )}
      </Rows>
      {editing && <TeamForm team={editing === "new" ? null : editing} onClose={() => setEditing(null)} />}
      <ConfirmDialog
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title={texts.removeQuestion(deleting?.name ?? "")}
        action={texts.removeAction}
        onConfirm={() => deleting && remove(deleting)}
      >
        {texts.consequences}
      </ConfirmDialog>
    </Page>
  );
}

function TeamForm({ team, onClose }: { team: Team | null; onClose: () => void }) {
  const learn = useLearn();
  const members = useMembers();
  const inboxes = useInboxes();
  const products = useProducts();
  const others = useTeams().filter(({ id }) => id !== team?.id);
  const form = useForm<Pick<Team, "name" | "color" | "memberIds" | "inboxIds" | "productIds">>(
    {
      name: team?.name ?? "",
      color: team?.color ?? "teal",
      // Others may have left meanwhile.
      memberIds: team?.memberIds.filter((id) => members.some((member) => member.id === id)) ?? [],
      inboxIds: team?.inboxIds ?? [],
      productIds: team?.productIds ?? [],
    },
    async (values) => {
      learn("team", team ? await api.patch<Team>(`${path}/${team.id}`, values) : await api.post<Team>(path, values));
      onClose();
    },
  );
  const owner = (of: "inboxIds" | "productIds", id: string) => others.find((other) => other[of].includes(id));
  const source = (of: "inboxIds" | "productIds", id: string, name: string) => {
    const other = owner(of, id);
    return { id, name, hint: other && texts.of(other.name) };
  };
  return (
    <FormDialog title={team ? texts.editTitle : texts.newTitle} action={team ? texts.save : texts.create} form={form} onClose={onClose} wide>
      <TextField label={texts.name} autoFocus autoComplete="off" maxLength={80} {...form.field("name")} />
      <ColorField name={form.values.name} value={form.values.color} onChange={(color: LabelColor) => form.set("color", color)} />
      <Several title={texts.members} none={texts.noMembers} items={members} chosen={form.values.memberIds} error={form.errors.memberIds} onChange={(ids) => form.set("memberIds", ids)} />
      <Several
        title={texts.inboxes}
        none={texts.noInboxes}
        items={inboxes.map((inbox) => source("inboxIds", inbox.id, inboxName(inbox)))}
        chosen={form.values.inboxIds}
        error={form.errors.inboxIds}
        onChange={(ids) => form.set("inboxIds", ids)}
      />
      <Several
        title={texts.products}
        none={texts.noProducts}
        items={products.filter(({ id, archived }) => !archived || form.values.productIds.includes(id)).map(({ id, name }) => source("productIds", id, name))}
        chosen={form.values.productIds}
        error={form.errors.productIds}
        onChange={(ids) => form.set("productIds", ids)}
      />
    </FormDialog>
  );
}
