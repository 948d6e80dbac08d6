// Where members are signed in: the member's own sessions, and those of another one.
import { LogOut, Monitor, X } from "lucide-react";
import { useState } from "react";
import { api, ApiError, SIGNED_OUT } from "../api/client";
import type { List, Member, Session } from "../api/types";
import { useQuery } from "../api/useQuery";
import { Badge, Button, ConfirmDialog, Dialog, fullTime, IconButton, RelativeTime, Section, useAction } from "../kit";
import { dropDrafts } from "../inbox/drafts";
import { flushTime, unsentText } from "../outbox/leaving";
import { useMe, useStore } from "../sync";
import { deviceName } from "./device";
import { RowActions, Rows, RowText } from "./parts";
import { texts as ofSessions } from "./sessions.texts";
import { texts } from "./texts";

const path = "/v1/dashboard/sessions";

/** The member's own sessions. Each of them, the others, and all can be ended. */
export function Sessions() {
  const me = useMe();
  const sessions = useQuery<List<Session>>(path);
  const { run } = useAction();
  const [ending, setEnding] = useState(false);
  const { outbox } = useStore();
  const [warned, setWarned] = useState(false);
  const all = sessions.data?.data;

  async function endAll() {
    if (!warned && !(await outbox.flush(flushTime))) {
      setWarned(true);
      throw new Error(texts.profile.lostBySigningOut(unsentText(outbox.items.get().length)));
    }
    await api.delete(path);
    dropDrafts(me.id);
    outbox.clear();
    window.dispatchEvent(new Event(SIGNED_OUT));
  }
  async function end(session: Session) {
    await api.delete(`${path}/${session.id}`).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 404) throw error; // it has ended already
    });
    sessions.set({ data: (all ?? []).filter(({ id }) => id !== session.id) });
  }
  async function endOthers() {
    await api.delete(`${path}/others`);
    sessions.set({ data: (all ?? []).filter(({ current }) => current) });
  }

  return (
    <Section
      title={texts.profile.whereSignedIn}
      description={ofSessions.what}
      actions={
        <>
          {all !== undefined && all.length > 1 && <Button onClick={() => void run(endOthers, ofSessions.othersEnded)}>{ofSessions.endOthers}</Button>}
          <Button icon={<LogOut size={16} />} onClick={() => setEnding(true)}>
            {texts.profile.signOutEverywhere}
          </Button>
        </>
      }
    >
      <SessionRows sessions={all} error={sessions.error} onRetry={sessions.reload} onEnd={(session) => void run(() => end(session), ofSessions.ended)} />
      <ConfirmDialog open={ending} onClose={() => setEnding(false)} title={texts.profile.signOutQuestion} action={texts.profile.signOutEverywhere} onConfirm={endAll}>
        {texts.profile.allYourSessionsEndWithin}
      </ConfirmDialog>
    </Section>
  );
}

interface SessionRowsProps {
  sessions: readonly Session[] | undefined;
  error: unknown;
  onRetry: () => void;
  onEnd?: (session: Session) => void;
}

function SessionRows({ sessions, error, onRetry, onEnd }: SessionRowsProps) {
  return (
    <Rows label={texts.profile.sessions} rows={sessions} error={error} onRetry={onRetry} keyOf={({ id }) => id} empty={{ title: texts.profile.noSessions, text: "" }}>
      {(session) => (
        <>
          <Monitor size={18} aria-hidden />
          <RowText
            name={deviceName(session.userAgent)}
            badges={session.current && <Badge tone="accent">{texts.profile.thisOne}</Badge>}
            note={
              <>
                {texts.profile.signedIn} {fullTime(session.createdAt)} {session.address && ofSessions.from(session.address)} {texts.profile.lastUsed} <RelativeTime at={session.seenAt} suffix="ago" />
              </>
            }
          />
          {onEnd && !session.current && (
            <RowActions>
              <IconButton label={ofSessions.end(deviceName(session.userAgent))} icon={<X size={15} />} onClick={() => onEnd(session)} />
            </RowActions>
          )}
        </>
      )}
    </Rows>
  );
}

/** Where another member is signed in. They can all be ended. */
export function MemberSessionsDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const of = `/v1/dashboard/members/${member.id}/sessions`;
  const sessions = useQuery<List<Session>>(of);
  const { run } = useAction();
  const end = () => api.delete(of).then(onClose);
  return (
    <Dialog
      open
      onClose={onClose}
      title={ofSessions.of(member.name)}
      description={ofSessions.passwordStays}
      footer={
        <>
          <Button onClick={onClose}>{ofSessions.close}</Button>
          <Button variant="danger" disabled={sessions.data?.data.length === 0} onClick={() => void run(end, ofSessions.allEnded(member.name))}>
            {ofSessions.endAll}
          </Button>
        </>
      }
    >
      <SessionRows sessions={sessions.data?.data} error={sessions.error} onRetry={sessions.reload} />
    </Dialog>
  );
}
