// The secrets by which a customer's identity is signed.
import { KeyRound, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { api } from "../api/client";
import type { IdentityKey, List, NewIdentityKey } from "../api/types";
import { useQuery } from "../api/useQuery";
import { Button, ConfirmDialog, CopyField, Dialog, fullTime, IconButton, Page, useAction } from "../kit";
import { RowActions, Rows, RowText } from "./parts";
import css from "./settings.module.css";

const path = "/v1/dashboard/identity-keys";

export function IdentityPage() {
  const keys = useQuery<List<IdentityKey>>(path);
  const [made, setMade] = useState<NewIdentityKey | null>(null);
  const [deleting, setDeleting] = useState<IdentityKey | null>(null);
  const { busy, run } = useAction();
  const rows = keys.data?.data;

  async function create() {
    const key = await api.post<NewIdentityKey>(path, {});
    const { secret: _, ...shown } = key;
    keys.set({ data: [shown, ...(rows ?? [])] });
    setMade(key);
  }

  async function remove(key: IdentityKey) {
    await api.delete(`${path}/${encodeURIComponent(key.kid)}`);
    keys.set({ data: (rows ?? []).filter((other) => other.kid !== key.kid) });
  }

  return (
    <Page
      title="Identity secrets"
      description="Your server signs who a customer is with one of these; Parley then knows the person and their company without asking."
      actions={
        <Button variant="primary" icon={<Plus size={16} />} busy={busy} onClick={() => void run(create, "A new secret is made")}>
          New secret
        </Button>
      }
    >
      <p className={css.note}>To change a secret without a gap: make a new one, let your server sign with it, then delete the old one. Until then both are accepted.</p>
      <Rows label="Identity secrets" rows={rows} error={keys.error} onRetry={keys.reload} keyOf={(key) => key.kid} empty={{ title: "No secrets yet", text: "Make one before you let your server sign identities." }}>
        {(key) => (
          <>
            <KeyRound size={18} aria-hidden />
            <RowText name={<span className={css.mono}>{key.kid}</span>} note={`${key.algorithm} · made ${fullTime(key.createdAt)}`} />
            <RowActions>
              <IconButton label={rows?.length === 1 ? "The last secret cannot be deleted" : `Delete the secret ${key.kid}`} icon={<Trash2 size={15} />} disabled={rows?.length === 1} onClick={() => setDeleting(key)} />
            </RowActions>
          </>
        )}
      </Rows>
      <Dialog
        open={made !== null}
        onClose={() => setMade(null)}
        title="Your new secret"
        description="Put it where your server keeps its secrets. It never belongs into a page or an app."
        footer={
          <Button variant="primary" onClick={() => setMade(null)}>
            I have kept it
          </Button>
        }
      >
        {made && (
          <div className={css.stack}>
            <CopyField label="Secret" value={made.secret} once />
            <CopyField label="Its name (kid)" value={made.kid} />
          </div>
        )}
      </Dialog>
      <ConfirmDialog open={deleting !== null} onClose={() => setDeleting(null)} title="Delete this secret?" action="Delete secret" onConfirm={() => deleting && remove(deleting)}>
        Identities that were signed with it are refused from now on. Customers whose pages still carry one are strangers until your server signs anew.
      </ConfirmDialog>
    </Page>
  );
}
