// Several actions on a conversation under one name.
import { Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { api } from "../api/client";
import type { List, Macro } from "../api/types";
import { useQuery } from "../api/useQuery";
import { actionsOf, fieldsOf, linesOf } from "../inbox/macros";
import { priorityNames } from "../inbox/Priority";
import { Button, ConfirmDialog, ErrorState, fold, FormDialog, IconButton, Page, SearchField, SelectField, SkeletonRows, TextArea, TextField, useForm } from "../kit";
import { useMe, useMembers, useProducts } from "../sync";
import { texts } from "./macros.texts";
import { RowActions, Rows, RowText } from "./parts";
import { isAtLeast } from "./roles";
import css from "./settings.module.css";
import { texts as statusTexts } from "../inbox/texts";

const path = "/v1/dashboard/macros";

export function MacrosPage() {
  const { data, error, reload } = useQuery<List<Macro>>(path);
  const me = useMe();
  const [search, setSearch] = useState("");
  const [editing, setEditing] = useState<Macro | "new" | null>(null);
  const [deleting, setDeleting] = useState<Macro | null>(null);
  const all = data?.data ?? [];
  const wanted = fold(search);
  const found = all.filter((macro) => fold(`${macro.name} ${macro.shortcut}`).includes(wanted));
  const mayChange = (macro: Macro) => macro.scope === "own" || isAtLeast(me.role, "admin");
  return (
    <Page
      title={texts.macros}
      description={texts.description}
      actions={
        <Button variant="primary" icon={<Plus size={16} />} onClick={() => setEditing("new")}>
          {texts.newMacro}
        </Button>
      }
    >
      {all.length > 5 && <SearchField label={texts.search} placeholder={texts.search} value={search} onChange={setSearch} />}
      {!data ? (
        error ? (
          <ErrorState error={error} onRetry={reload} />
        ) : (
          <SkeletonRows count={3} />
        )
      ) : (
        <Rows label={texts.macros} rows={found} keyOf={(macro) => macro.id} empty={wanted ? { title: texts.nothingFound, text: texts.tryAnother } : { title: texts.none, text: texts.whatFor }}>
          {(macro) => (
            <>
              <RowText name={macro.name} note={<span className={css.preview}>{[macro.scope === "own" ? texts.own : texts.all, ...linesOf(macro)].join(" · ")}</span>} />
              {mayChange(macro) && (
                <RowActions>
                  <IconButton label={texts.edit(macro.name)} icon={<Pencil size={15} />} onClick={() => setEditing(macro)} />
                  <IconButton label={texts.remove(macro.name)} icon={<Trash2 size={15} />} onClick={() => setDeleting(macro)} />
                </RowActions>
              )}
            </>
          )}
        </Rows>
      )}
      {editing && (
        <MacroForm
          macro={editing === "new" ? null : editing}
          onClose={() => setEditing(null)}
          onSaved={() => {
            setEditing(null);
            reload();
          }}
        />
      )}
      <ConfirmDialog
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title={texts.removeQuestion(deleting?.name ?? "")}
        action={texts.removeAction}
        onConfirm={async () => {
          if (deleting) await api.delete(`${path}/${deleting.id}`);
          reload();
        }}
      >
        {texts.consequences}
      </ConfirmDialog>
    </Page>
  );
}

function MacroForm({ macro, onClose, onSaved }: { macro: Macro | null; onClose: () => void; onSaved: () => void }) {
  const me = useMe();
  const members = useMembers();
  const products = useProducts();
  const form = useForm(
    { name: macro?.name ?? "", shortcut: macro?.shortcut ?? "", scope: macro?.scope === "all" ? "all" : "own", ...fieldsOf(macro) },
    async ({ name, shortcut, scope, ...fields }) => {
      const body = { name, shortcut, scope, actions: actionsOf(fields) };
      if (macro) await api.patch<Macro>(`${path}/${macro.id}`, { ...body, version: macro.version });
      else await api.post<Macro>(path, body);
      onSaved();
    },
  );
  const unchanged = { value: "", label: texts.unchanged };
  return (
    <FormDialog title={macro ? texts.editTitle : texts.newTitle} action={macro ? texts.save : texts.create} form={form} onClose={onClose} wide>
      <TextField label={texts.name} autoFocus maxLength={80} {...form.field("name")} />
      <TextArea label={texts.reply} hint={texts.variables} rows={4} {...form.field("reply")} />
      <TextArea label={texts.note} hint={texts.variables} rows={2} {...form.field("note")} />
      <SelectField
        label={texts.status}
        options={[
          unchanged,
          { value: "open", label: statusTexts.contactPane.open },
          { value: "pending", label: statusTexts.contactPane.pending },
          { value: "resolved", label: statusTexts.contactPane.resolved },
        ]}
        {...form.field("status")}
      />
      <SelectField
        label={texts.priority}
        options={[unchanged, { value: "none", label: texts.noPriority }, ...(["urgent", "high", "medium", "low"] as const).map((value) => ({ value, label: priorityNames[value] }))]}
        {...form.field("priority")}
      />
      <SelectField
        label={texts.assignee}
        options={[unchanged, { value: "me", label: texts.me }, { value: "none", label: texts.nobody }, ...members.map(({ id, name }) => ({ value: id, label: name }))]}
        {...form.field("assigneeId")}
      />
      <SelectField label={texts.product} options={[unchanged, ...products.map(({ id, name }) => ({ value: id, label: name }))]} {...form.field("productId")} />
      <TextField label={texts.addLabels} hint={texts.labelsHint} {...form.field("addLabels")} />
      <TextField label={texts.removeLabels} hint={texts.labelsHint} {...form.field("removeLabels")} />
      <TextField label={texts.shortcut} hint={texts.shortcutHint} autoComplete="off" autoCapitalize="none" spellCheck={false} maxLength={32} {...form.field("shortcut")} />
      {isAtLeast(me.role, "admin") && (
        <SelectField
          label={texts.scope}
          options={[
            { value: "own", label: texts.own },
            { value: "all", label: texts.all },
          ]}
          {...form.field("scope")}
        />
      )}
    </FormDialog>
  );
}
