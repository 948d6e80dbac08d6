// The WhatsApp numbers, and groups with customers.
import { Ellipsis, Gauge, Link2, LogOut, MessageCircle, Plus, Smartphone, Unplug, Users } from "lucide-react";
import { useCallback, useState, type ReactNode } from "react";
import { api } from "../api/client";
import type { ChatNumber, Pairing } from "../api/numbers";
import { Badge, Button, ConfirmDialog, CopyButton, IconButton, Menu, Page, shortDate, useAction, useNow, type MenuEntry } from "../kit";
import { useLearn, useNumbers } from "../sync";
import { BudgetsPanel } from "./budgets";
import { NewGroupForm } from "./newgroup";
import { NumberForm } from "./numberform";
import { actionsOf, standingOf, type NumberAction } from "./numberstate";
import { PairingPanel } from "./pairing";
import { RowActions, Rows, RowText } from "./parts";
import css from "./settings.module.css";
import { texts } from "./numbers.texts";

/** What is open below the row of a number. */
type Opened = { id: string; what: "pairing" | "limits" };

export function NumbersPage() {
  const numbers = useNumbers();
  const [adding, setAdding] = useState(false);
  const [grouping, setGrouping] = useState(false);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [loggingOut, setLoggingOut] = useState<ChatNumber | null>(null);
  const connected = numbers.filter((number) => number.status === "connected");
  const close = useCallback(() => setOpened(null), []);
  const learn = useLearn();
  const { run } = useAction();

  function pair(number: ChatNumber) {
    void run(async () => {
      await api.post<Pairing>(`/v1/dashboard/numbers/${number.id}/pairing`, { by: "qr" });
      setOpened({ id: number.id, what: "pairing" });
    }, texts.numbers.thePairingOfBegins(number.phone));
  }
  const change = (number: ChatNumber, verb: "disconnect" | "reconnect" | "logout") => api.post<ChatNumber>(`/v1/dashboard/numbers/${number.id}/${verb}`).then((changed) => learn("number", changed));
  function act(number: ChatNumber, action: NumberAction) {
    switch (action) {
      case "pair":
        return pair(number);
      case "logOut":
        return setLoggingOut(number);
      case "disconnect":
        return void run(() => change(number, "disconnect"), texts.numbers.isDisconnected(number.phone));
      case "reconnect":
        return void run(() => change(number, "reconnect"), texts.numbers.connects(number.phone));
    }
  }

  return (
    <Page
      title={texts.numbers.numbers}
      description={texts.numbers.yourWhatsappNumbersEach}
      actions={
        <>
          <Button icon={<Users size={16} />} disabled={connected.length === 0} onClick={() => setGrouping(true)}>
            {texts.numbers.newGroup}
          </Button>
          <Button variant="primary" icon={<Plus size={16} />} onClick={() => setAdding(true)}>
            {texts.numbers.connectANumber}
          </Button>
        </>
      }
    >
      <p className={css.warning}>
        <strong>{texts.numbers.thisWhatsappClient}</strong> {texts.numbers.creatingManyGroups}
      </p>
      <Rows
        label={texts.numbers.numbers}
        rows={numbers}
        keyOf={(number) => number.id}
        empty={{ title: texts.numbers.noNumbersYet, text: texts.numbers.whatFor }}
        below={(number) => {
          if (number.status === "pairing" || (opened?.id === number.id && opened.what === "pairing")) return <PairingPanel number={number} onClose={close} />;
          return opened?.id === number.id && <BudgetsPanel number={number} onClose={close} />;
        }}
      >
        {(number) => <NumberRow number={number} onAction={(action) => act(number, action)} onLimits={() => setOpened({ id: number.id, what: "limits" })} />}
      </Rows>
      <SandboxRules />
      {adding && (
        <NumberForm
          onClose={() => setAdding(false)}
          onAdded={(number) => {
            setAdding(false);
            if (actionsOf(number)[0] === "pair") pair(number);
          }}
        />
      )}
      {grouping && <NewGroupForm numbers={connected} onClose={() => setGrouping(false)} />}
      <ConfirmDialog
        open={loggingOut !== null}
        onClose={() => setLoggingOut(null)}
        title={texts.numbers.logOut(loggingOut?.phone ?? "")}
        action={texts.numbers.logOut2}
        onConfirm={() => loggingOut && change(loggingOut, "logout")}
      >
        {texts.numbers.parleyIsTakenOff}
      </ConfirmDialog>
    </Page>
  );
}

const verbs: Record<NumberAction, { label: string; icon: ReactNode }> = {
  pair: { label: texts.numbers.pair, icon: <Smartphone size={15} /> },
  reconnect: { label: texts.numbers.reconnect, icon: <Link2 size={15} /> },
  disconnect: { label: texts.numbers.disconnect, icon: <Unplug size={15} /> },
  logOut: { label: texts.numbers.logOutAction, icon: <LogOut size={15} /> },
};

function NumberRow({ number, onAction, onLimits }: { number: ChatNumber; onAction: (action: NumberAction) => void; onLimits: () => void }) {
  const { label, tone, note } = standingOf(number, useNow());
  const actions = actionsOf(number);
  // The action that brings a number back is a button; the ones that take it away are in the menu.
  const offered = actions.find((action) => action === "pair" || action === "reconnect");
  const entries: MenuEntry[] = [
    { label: texts.numbers.limits, icon: <Gauge size={15} />, onSelect: onLimits },
    ...actions.filter((action) => action !== offered).map((action) => ({ ...verbs[action], danger: action === "logOut", onSelect: () => onAction(action) })),
  ];
  return (
    <>
      <MessageCircle size={18} aria-hidden />
      <RowText
        name={number.phone}
        badges={
          <>
            <Badge tone={tone}>{label}</Badge>
            {number.driver === "sandbox" && <Badge>{texts.numbers.sandbox}</Badge>}
          </>
        }
        note={note || texts.numbers.since(shortDate(number.createdAt))}
      />
      <RowActions>
        {offered && (
          <Button size="sm" icon={verbs[offered].icon} onClick={() => onAction(offered)}>
            {verbs[offered].label}
          </Button>
        )}
        <CopyButton label={texts.numbers.copyTheId(number.phone)} value={number.id} />
        <Menu label={texts.numbers.actions(number.phone)} button={<IconButton label={texts.numbers.actions(number.phone)} icon={<Ellipsis size={16} />} size="sm" />} entries={entries} />
      </RowActions>
    </>
  );
}

const endings: readonly [string, string][] = [
  ["…00", texts.numbers.isNotOnWhatsapp],
  ["…01", texts.numbers.letsNobodyAdd],
  ["…02", texts.numbers.isNotSaved],
  ["…03", texts.numbers.isAddedLater],
  ["…04", texts.numbers.isMember],
];

function SandboxRules() {
  return (
    <details className={css.note}>
      <summary>{texts.numbers.howASandboxNumberBehaves}</summary>
      <p>{texts.numbers.theLastTwoDigits}</p>
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
