// Identities: the keys that verify them, and the refused ones.
import { KeyRound, MoreHorizontal, Plus } from "lucide-react";
import { useState } from "react";
import { api } from "../api/client";
import type { IdentityKey, List, NewIdentityKey } from "../api/types";
import { useQuery } from "../api/useQuery";
import { Badge, Button, ConfirmDialog, CopyField, Dialog, FormDialog, fullTime, IconButton, Menu, Page, RelativeTime, Section, SelectField, useForm } from "../kit";
import { useMe } from "../sync";
import { IdentityForm } from "./identityform";
import { algorithmNote, retireChoices } from "./identitykeys";
import { RowActions, Rows, RowText } from "./parts";
import { RefusedIdentities } from "./refused";
import { isAtLeast } from "./roles";
import css from "./settings.module.css";
import { texts } from "./texts";

const path = "/v1/dashboard/identity-keys";
const pathOf = (key: IdentityKey) => `${path}/${encodeURIComponent(key.kid)}`;

export function IdentityPage() {
  const owner = isAtLeast(useMe().role, "owner");
  return (
    <Page title={texts.identity.identity} description={texts.identity.yourServerSignsWho}>
      {owner && <Keys />}
      <RefusedIdentities />
    </Page>
  );
}

type Change = { what: "retire" | "revoke"; key: IdentityKey };

function Keys() {
  const keys = useQuery<List<IdentityKey>>(path);
  const [creating, setCreating] = useState(false);
  const [made, setMade] = useState<NewIdentityKey | null>(null);
  const [change, setChange] = useState<Change | null>(null);
  const rows = keys.data?.data;
  const replace = (key: IdentityKey) => keys.set({ data: (rows ?? []).map((other) => (other.kid === key.kid ? key : other)) });

  function created(key: NewIdentityKey) {
    const { secret, ...shown } = key;
    keys.set({ data: [shown, ...(rows ?? [])] });
    setCreating(false);
    if (secret) setMade(key);
  }
  async function revoke(key: IdentityKey) {
    await api.delete(pathOf(key));
    keys.reload();
  }
  return (
    <Section
      title={texts.identity.keys}
      description={texts.identity.toReplaceAKeyWithout}
      actions={
        <Button variant="primary" icon={<Plus size={16} />} onClick={() => setCreating(true)}>
          {texts.identity.newKey}
        </Button>
      }
    >
      <Rows label={texts.identity.identityKeys} rows={rows} error={keys.error} onRetry={keys.reload} keyOf={(key) => key.kid} empty={{ title: texts.identity.noKeysYet, text: texts.identity.whatFor }}>
        {(key) => <KeyRow identityKey={key} onChange={(what) => setChange({ what, key })} />}
      </Rows>
      {creating && <IdentityForm onMade={created} onClose={() => setCreating(false)} />}
      <Made made={made} onClose={() => setMade(null)} />
      {change?.what === "retire" && <RetireForm identityKey={change.key} onRetired={replace} onClose={() => setChange(null)} />}
      <ConfirmDialog
        open={change?.what === "revoke"}
        onClose={() => setChange(null)}
        title={texts.identity.revokeThisKey}
        action={texts.identity.revokeKey}
        onConfirm={() => change && revoke(change.key)}
      >
        {texts.identity.identitiesSigned}
      </ConfirmDialog>
    </Section>
  );
}

function KeyRow({ identityKey: key, onChange }: { identityKey: IdentityKey; onChange: (what: Change["what"]) => void }) {
  return (
    <>
      <KeyRound size={18} aria-hidden />
      <RowText
        name={<span className={css.mono}>{key.kid}</span>}
        badges={
          <>
            <Badge>{algorithmNote(key)}</Badge>
            {key.state === "retiring" && <Badge tone="warn">{key.retireAt ? texts.identity.expires(fullTime(key.retireAt)) : texts.identity.retiring}</Badge>}
            {key.state === "revoked" && <Badge tone="danger">{texts.identity.revoked}</Badge>}
          </>
        }
        note={
          <>
            {key.jwksUrl && <div>{key.jwksUrl}</div>}
            {(key.issuer || key.audience) && <div>{[key.issuer && texts.identity.issuer(key.issuer), key.audience && texts.identity.audience(key.audience)].filter(Boolean).join(", ")}</div>}
            {texts.identity.made} {fullTime(key.createdAt)} ·{" "}
            {key.lastUsedAt ? (
              <>
                {texts.identity.used} <RelativeTime at={key.lastUsedAt} />
              </>
            ) : (
              texts.identity.neverUsed
            )}
          </>
        }
      />
      {key.state !== "revoked" && (
        <RowActions>
          <Menu
            button={<IconButton label={texts.identity.change(key.kid)} icon={<MoreHorizontal size={16} />} />}
            entries={[
              { label: key.state === "retiring" ? texts.identity.changeItsEnd : texts.identity.retire, onSelect: () => onChange("retire") },
              { label: texts.identity.revoke, danger: true, onSelect: () => onChange("revoke") },
            ]}
          />
        </RowActions>
      )}
    </>
  );
}

function Made({ made, onClose }: { made: NewIdentityKey | null; onClose: () => void }) {
  return (
    <Dialog
      open={made !== null}
      onClose={onClose}
      title={texts.identity.yourNewSecret}
      description={texts.identity.storeIt}
      footer={
        <Button variant="primary" onClick={onClose}>
          {texts.identity.iHaveKept}
        </Button>
      }
    >
      {made && (
        <div className={css.stack}>
          <CopyField label={texts.identity.secret} value={made.secret ?? ""} once />
          <CopyField label={texts.identity.keyIdKid} value={made.kid} />
        </div>
      )}
    </Dialog>
  );
}

function RetireForm({ identityKey: key, onRetired, onClose }: { identityKey: IdentityKey; onRetired: (key: IdentityKey) => void; onClose: () => void }) {
  const form = useForm({ days: "7" }, async ({ days }) => {
    onRetired(await api.post<IdentityKey>(`${pathOf(key)}/retire`, { days: Number(days) }));
    onClose();
  });
  return (
    <FormDialog title={texts.identity.retireThisKey} description={texts.identity.itIsAcceptedUntil} action={texts.identity.retireKey} form={form} onClose={onClose}>
      <SelectField label={texts.identity.expiresLabel} autoFocus options={retireChoices} {...form.field("days")} />
    </FormDialog>
  );
}
