// The audit log: who did what to members, keys and settings.
import { Download } from "lucide-react";
import { useState, type MouseEvent } from "react";
import { address, type Query } from "../api/client";
import type { AuditEntry, AuditKnownActor } from "../api/types";
import { usePages, useQuery } from "../api/useQuery";
import { Badge, Button, buttonClass, FormActions, fullTime, Page, Section, SelectField, TextField, useToast } from "../kit";
import { actorName, entrySubject, entryText, periodOf } from "./auditentry";
import { texts } from "./audit.texts";
import { deviceName } from "./device";
import { Rows, RowText } from "./parts";
import { texts as pageTexts } from "./pages.texts";
import css from "./settings.module.css";

const path = "/v1/dashboard/audit";

const actions = Object.entries(texts.actions).map(([value, label]) => ({ value, label }));

export function AuditLogPage() {
  const [filter, setFilter] = useState({ action: "", actor: "", from: "", to: "" });
  const query: Query = { action: filter.action, actor: filter.actor, ...periodOf(filter.from, filter.to) };
  const log = usePages<AuditEntry>(path, { ...query, limit: 50 });
  const set = (name: keyof typeof filter) => (value: string) => setFilter({ ...filter, [name]: value });
  return (
    <Page
      title={pageTexts.audit}
      description={texts.what}
      actions={
        <>
          <Save query={query} kind="csv" label={texts.saveCsv} text={texts.csv} />
          <Save query={query} kind="ndjson" label={texts.saveLines} text={texts.lines} />
        </>
      }
    >
      <Section title={texts.filters} description={texts.saved}>
        <div className={css.pair}>
          <SelectField label={texts.action} value={filter.action} options={[{ value: "", label: texts.any }, ...actions]} onChange={set("action")} />
          <Actors value={filter.actor} onChange={set("actor")} />
        </div>
        <div className={css.pair}>
          <TextField label={texts.from} type="date" min="1970-01-01" max="9999-12-31" value={filter.from} onChange={set("from")} />
          <TextField label={texts.to} type="date" min="1970-01-01" max="9999-12-31" value={filter.to} onChange={set("to")} />
        </div>
      </Section>
      <Section title={texts.entries}>
        <Rows
          label={texts.entries}
          rows={log.loading || log.error !== undefined ? undefined : log.items}
          error={log.error}
          onRetry={log.reload}
          keyOf={({ id }) => id}
          empty={{ title: texts.none, text: texts.noneText }}
        >
          {(entry) => <Entry entry={entry} />}
        </Rows>
        {log.more && (
          <FormActions>
            <Button onClick={log.loadMore}>{texts.more}</Button>
          </FormActions>
        )}
      </Section>
    </Page>
  );
}

/** A link that stores all entries of the filter in a file. The browser would store a refusal as well. */
function Save({ query, kind, label, text }: { query: Query; kind: "csv" | "ndjson"; label: string; text: string }) {
  const toast = useToast();
  const save = (event: MouseEvent<HTMLAnchorElement>) => {
    event.preventDefault();
    const { href } = event.currentTarget;
    import("../confirm/confirm").then(({ confirmFirst }) => confirmFirst()).then(() => download(href), toast.failed);
  };
  return (
    <a className={buttonClass()} href={address(`${path}.${kind}`, query)} download aria-label={label} onClick={save}>
      <Download size={16} aria-hidden />
      {text}
    </a>
  );
}

function download(href: string) {
  const link = document.createElement("a");
  link.href = href;
  link.download = "";
  link.click();
}

/** Whoever acts, or acted: members and keys, and those who are gone, of whom the log still tells. */
function Actors({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { data, error, reload } = useQuery<{ data: AuditKnownActor[] }>(`${path}/actors`);
  const options = [
    { value: "", label: texts.anyone },
    ...(data?.data.map((actor) => ({ value: actor.id, label: actorName(actor) })) ?? []),
    { value: "operator", label: texts.actors.operator },
    { value: "server", label: texts.actors.server },
  ];
  return (
    <div>
      <SelectField label={texts.actor} value={value} options={options} onChange={onChange} />
      {error !== undefined && <Button onClick={reload}>{texts.actorsFailed}</Button>}
    </div>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { actor, count, address: from, userAgent } = entry;
  const who = actor.type === "operator" || actor.type === "server" ? texts.actors[actor.type] : actor.name || texts.formerMember;
  const client = [from, userAgent && deviceName(userAgent)].filter(Boolean).join(", ");
  const subject = entrySubject(entry);
  return (
    <RowText
      name={texts.actions[entry.action]}
      badges={count > 1 && <Badge tone="warn">{texts.times(count)}</Badge>}
      note={
        <>
          {subject && <div>{subject}</div>}
          {entry.changes.length > 0 && <div>{entry.changes.map((change) => entryText(change)).join(" · ")}</div>}
          <div>{[fullTime(entry.at), who, client].filter(Boolean).join(" · ")}</div>
        </>
      }
    />
  );
}
