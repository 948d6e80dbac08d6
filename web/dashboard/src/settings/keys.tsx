// The keys by which programs use the public API.
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
      title="API keys"
      description={
        <>
          Programs use the public API with a key. What they can do is in the{" "}
          <a href="/docs" target="_blank" rel="noopener">
            reference of the API
          </a>
          .
        </>
      }
      actions={
        <Button variant="primary" icon={<Plus size={16} />} onClick={() => setEditing("new")}>
          New key
        </Button>
      }
    >
      {ended > 0 && <Switch label={`Show the ${ended} that ended`} checked={showEnded} onChange={setShowEnded} />}
      <Rows
        label="API keys"
        rows={rows}
        error={keys.error}
        onRetry={keys.reload}
        keyOf={(key) => key.id}
        empty={{ title: "No keys", text: "Create one for each program, so that each can be revoked on its own." }}
      >
        {(key) => <KeyRow keyRecord={key} now={now} onEdit={() => setEditing(key)} onRevoke={() => setRevoking(key)} />}
      </Rows>
      <StoresSection />
      {editing && <KeyForm keyRecord={editing === "new" ? null : editing} onSaved={saved} onClose={() => setEditing(null)} />}
      <SecretDialog made={made} onClose={() => setMade(null)} />
      <ConfirmDialog
        open={revoking !== null}
        onClose={() => setRevoking(null)}
        title={`Revoke ${revoking?.name ?? ""}?`}
        action="Revoke key"
        onConfirm={async () => revoking && saved(await api.delete<Key>(`/v1/dashboard/keys/${revoking.id}`))}
      >
        It stops working everywhere within a second and cannot be restored.{" "}
        {revoking?.lastUsedAt ? (
          <>
            It was last used <RelativeTime at={revoking.lastUsedAt} suffix="ago" />.
          </>
        ) : (
          "It was never used."
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
            {state === "revoked" && <Badge tone="danger">Revoked</Badge>}
            {state === "expired" && <Badge tone="warn">Expired</Badge>}
          </>
        }
        note={
          <>
            {scopesText(key.scopes)}
            {" · "}
            {key.lastUsedAt ? (
              <>
                used <RelativeTime at={key.lastUsedAt} suffix="ago" />
              </>
            ) : (
              "never used"
            )}
            {` · ${makerOf(key)}`}
            {key.expiresAt && state === "active" && ` · ends ${shortDate(key.expiresAt)}`}
          </>
        }
      />
      {state !== "revoked" && (
        <RowActions>
          <IconButton label={`Edit ${key.name}`} icon={<Pencil size={15} />} onClick={onEdit} />
          <IconButton label={`Revoke ${key.name}`} icon={<Ban size={15} />} onClick={onRevoke} />
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
      title={`The key ${made?.name ?? ""}`}
      description="Store it where your program keeps its secrets. If it is lost or leaks, revoke it and create another one."
      footer={
        <Button variant="primary" onClick={onClose}>
          I have kept it
        </Button>
      }
    >
      {made && (
        <div className={css.stack}>
          <CopyField label="Key" value={made.key} once />
          <CopyField label="Try it" value={`curl ${window.location.origin}/v1/public/conversations -H "Authorization: Bearer ${made.key}"`} />
        </div>
      )}
    </Dialog>
  );
}
