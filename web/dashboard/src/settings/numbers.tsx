// The numbers of the messaging application, and groups with customers.
import { MessageCircle, Plus, Users } from "lucide-react";
import { useState } from "react";
import { api } from "../api/client";
import type { ChatNumber } from "../api/types";
import { Badge, Button, CopyButton, FormDialog, Page, shortDate, TextField, useForm } from "../kit";
import { useLearn, useNumbers } from "../sync";
import { NewGroupForm } from "./newgroup";
import { RowActions, Rows, RowText } from "./parts";
import css from "./settings.module.css";

export function NumbersPage() {
  const numbers = useNumbers();
  const [connecting, setConnecting] = useState(false);
  const [grouping, setGrouping] = useState(false);
  const connected = numbers.filter((number) => number.status === "connected");

  return (
    <Page
      title="Numbers"
      description="Numbers of the messaging application. Each has an inbox for its conversations, and can host groups with your customers."
      actions={
        <>
          <Button icon={<Users size={16} />} disabled={connected.length === 0} onClick={() => setGrouping(true)}>
            New group
          </Button>
          <Button variant="primary" icon={<Plus size={16} />} onClick={() => setConnecting(true)}>
            Connect a number
          </Button>
        </>
      }
    >
      <p className={css.warning}>
        <strong>The messaging client is unofficial.</strong> Creating many groups in a short time raises the risk that the application bans the number. Do not use a number that you cannot do without.
      </p>
      <Rows label="Numbers" rows={numbers} keyOf={(number) => number.id} empty={{ title: "No numbers yet", text: "Connect a sandbox number to try groups without a phone: it plays every outcome by rules." }}>
        {(number) => (
          <>
            <MessageCircle size={18} aria-hidden />
            <RowText
              name={number.phone}
              badges={
                <>
                  <Badge tone={number.status === "connected" ? "ok" : "danger"}>{number.status === "connected" ? "Connected" : "Disconnected"}</Badge>
                  {number.driver === "sandbox" && <Badge>Sandbox</Badge>}
                </>
              }
              note={`Since ${shortDate(number.createdAt)}`}
            />
            <RowActions>
              <CopyButton label={`Copy the id of ${number.phone}`} value={number.id} />
            </RowActions>
          </>
        )}
      </Rows>
      <SandboxRules />
      {connecting && <NumberForm onClose={() => setConnecting(false)} />}
      {grouping && <NewGroupForm numbers={connected} onClose={() => setGrouping(false)} />}
    </Page>
  );
}

function NumberForm({ onClose }: { onClose: () => void }) {
  const learn = useLearn();
  const form = useForm({ phone: "" }, async ({ phone }) => {
    learn("number", await api.post<ChatNumber>("/v1/dashboard/numbers", { phone, driver: "sandbox" }));
    onClose();
  });
  return (
    <FormDialog title="Connect a sandbox number" description="It needs no phone and sends nothing to anybody." action="Connect" form={form} onClose={onClose}>
      <TextField label="Phone number" type="tel" hint="Country code first, such as +49 30 1234567. A number that ends in 09 plays a host who is no admin of its groups." autoFocus autoComplete="off" {...form.field("phone")} />
    </FormDialog>
  );
}

const endings: readonly [string, string][] = [
  ["…00", "is not on the application"],
  ["…01", "lets nobody add them: they get the invite link"],
  ["…02", "is not saved by the host: they get the invite link"],
  ["…03", "is added after the network timed out once"],
  ["…04", "is a member already"],
];

function SandboxRules() {
  return (
    <details className={css.note}>
      <summary>How a sandbox number behaves</summary>
      <p>The last two digits of each participant say what happens. Any other number is added.</p>
      <dl className={css.outcome}>
        {endings.map(([ending, outcome]) => (
          <div key={ending} className={css.contents}>
            <dt className={css.mono}>{ending}</dt>
            <dd>{outcome}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
