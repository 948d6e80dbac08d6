// The keys that programs use for the public API.
import { Ban, KeyRound, Pencil, Plus } from "lucide-react";
import { useState } from "react";
import { api } from "../api/client";
import type { Key, List, NewKey } from "../api/types";
import { useQuery } from "../api/useQuery";
import { Badge, Button, ConfirmDialog, CopyField, Dialog, IconButton, Page, RelativeTime, shortDate, Switch, useNow } from "../kit";
import { KeyForm } from "./keyform";
import { makerOf, stateOf } from "./keystate";
import { RowActions, Rows, RowText } from "./parts";
import { scopesText } from "./scopes";
import css from "./settings.module.css";
import { StoresSection } from "./stores";
import { texts } from "./texts";

export function KeysPage() {
  const keys = useQuery<List<Key>>("/v1/dashboard/keys");
  const now = useNow();
  const [editing, setEditing] = useState<Key | "new" | null>(null);
  const [made, setMade] = useState<NewKey | null>(null);
  const [revoking, setRevoking] = useState<Key | null>(null);
  const [showEnded, setShowEnded] = useState(false);
  const all = keys.data?.data;
  const ended = all?.filter((key) => stateOf(key, now) !== "active").length ?? 0;
  const rows = all?.filter((key) => showEnded || stateOf(key, now) === "active");

  function saved(key: Key | NewKey) {
    setEditing(null);
    if ("key" in key) {
      const { key: _, ...shown } = key;
      keys.set({ data: [shown, ...(all ?? [])] });
      setMade(key);
    } else {
      keys.set({ data: (all ?? []).map((other) => (other.id === key.id ? key : other)) });
    }
  }

  return (
    <Page
      title={texts.keys.apiKeys}
      description={
        <>
          {texts.keys.programsUseThePublicApi}{" "}
          <a href="/docs" target="_blank" rel="noopener">
            {texts.keys.referenceOfTheApi}
          </a>
          .
        </>
      }
      actions={
        <Button variant="primary" icon={<Plus size={16} />} onClick={() => setEditing("new")}>
          {texts.keys.newKey}
        </Button>
      }
    >
      {ended > 0 && <Switch label={texts.keys.showEnded(ended)} checked={showEnded} onChange={setShowEnded} />}
      <Rows label={texts.keys.apiKeys} rows={rows} error={keys.error} onRetry={keys.reload} keyOf={(key) => key.id} empty={{ title: texts.keys.noKeys, text: texts.keys.whatFor }}>
        {(key) => <KeyRow keyRecord={key} now={now} onEdit={() => setEditing(key)} onRevoke={() => setRevoking(key)} />}
      </Rows>
      <StoresSection />
      {editing && <KeyForm keyRecord={editing === "new" ? null : editing} onSaved={saved} onClose={() => setEditing(null)} />}
      <SecretDialog made={made} onClose={() => setMade(null)} />
      <ConfirmDialog
        open={revoking !== null}
        onClose={() => setRevoking(null)}
        title={texts.keys.revoke(revoking?.name ?? "")}
        action={texts.keys.revokeKey}
        onConfirm={async () => revoking && saved(await api.delete<Key>(`/v1/dashboard/keys/${revoking.id}`))}
      >
        {texts.keys.itStopsWorkingEverywhere}{" "}
        {revoking?.lastUsedAt ? (
          <>
            {texts.keys.itWasLastUsed} <RelativeTime at={revoking.lastUsedAt} suffix="ago" />.
          </>
        ) : (
          texts.keys.itWasNeverUsed
        )}
      </ConfirmDialog>
    </Page>
  );
}

function KeyRow({ keyRecord: key, now, onEdit, onRevoke }: { keyRecord: Key; now: number; onEdit: () => void; onRevoke: () => void }) {
  const state = stateOf(key, now);
  return (
    <>
      <KeyRound size={18} aria-hidden />
      <RowText
        name={key.name}
        badges={
          <>
            <span className={css.mono}>{key.display}</span>
            {state === "revoked" && <Badge tone="danger">{texts.keys.revoked}</Badge>}
            {state === "expired" && <Badge tone="warn">{texts.keys.expired}</Badge>}
          </>
        }
        note={
          <>
            {scopesText(key.scopes)}
            {" · "}
            {key.lastUsedAt ? (
              <>
                {texts.keys.used} <RelativeTime at={key.lastUsedAt} suffix="ago" />
              </>
            ) : (
              texts.keys.neverUsed
            )}
            {` · ${makerOf(key)}`}
            {key.expiresAt && state === "active" && texts.keys.ends(shortDate(key.expiresAt))}
          </>
        }
      />
      {state !== "revoked" && (
        <RowActions>
          <IconButton label={texts.keys.edit(key.name)} icon={<Pencil size={15} />} onClick={onEdit} />
          <IconButton label={texts.keys.revoke2(key.name)} icon={<Ban size={15} />} onClick={onRevoke} />
        </RowActions>
      )}
    </>
  );
}

function SecretDialog({ made, onClose }: { made: NewKey | null; onClose: () => void }) {
  return (
    <Dialog
      open={made !== null}
      onClose={onClose}
      wide
      title={texts.keys.theKey(made?.name ?? "")}
      description={texts.keys.storeIt}
      footer={
        <Button variant="primary" onClick={onClose}>
          {texts.keys.iHaveKept}
        </Button>
      }
    >
      {made && (
        <div className={css.stack}>
          <CopyField label={texts.keys.key} value={made.key} once />
          <CopyField label={texts.keys.tryIt} value={`curl ${window.location.origin}/v1/public/conversations -H "Authorization: Bearer ${made.key}"`} />
        </div>
      )}
    </Dialog>
  );
}
