import { CircleCheck } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { api } from "../api/client";
import type { Inbox, WidgetView } from "../api/types";
import { Button, ErrorState, SkeletonRows, Spinner, useAction } from "../kit";
import { Code } from "../settings/parts";
import { tagOf } from "../settings/widgettag";
import { useLearn } from "../sync";
import { hostOf, seenText } from "./steps";
import { texts } from "./texts";
import css from "./welcome.module.css";

/** The tag of the website's inbox, which is created if there is none, and where it was seen. */
export function SiteStep({ inbox, views }: { inbox: Inbox | undefined; views: readonly WidgetView[] }) {
  const { error, retry } = useFirstInbox(inbox !== undefined);
  if (!inbox) return error ? <ErrorState error={error} onRetry={retry} /> : <SkeletonRows count={2} avatar={false} />;
  const origin = views.find((view) => view.origin !== null)?.origin;
  return (
    <>
      <p>{texts.site.how}</p>
      <Code label={texts.site.tag} text={tagOf(location.origin, inbox.id)} />
      <div role="status" className={css.status}>
        {views.length === 0 ? (
          <>
            <Spinner />
            <span>
              <strong>{texts.site.waiting}</strong> {texts.site.waitingHint}
            </span>
          </>
        ) : (
          <>
            <CircleCheck size={18} aria-hidden className={css.done} />
            <strong>{seenText(views)}</strong>
          </>
        )}
      </div>
      {origin && <AllowOnly key={origin} inboxId={inbox.id} origin={origin} />}
      <p>
        <Link href={`/settings/inboxes/${inbox.id}/widget`}>{texts.site.design}</Link>
      </p>
    </>
  );
}

function AllowOnly({ inboxId, origin }: { inboxId: string; origin: string }) {
  const { busy, run } = useAction();
  const [done, setDone] = useState(false);
  if (done) return null;
  const allow = async () => {
    await api.patch(`/v1/dashboard/inboxes/${inboxId}/widget`, { origins: [origin] });
    setDone(true);
  };
  return (
    <div>
      <Button size="sm" busy={busy} onClick={() => void run(allow, texts.site.allowed(hostOf(origin)))}>
        {texts.site.allow}
      </Button>
    </div>
  );
}

/** Creates the first inbox for a website unless there is one. */
function useFirstInbox(there: boolean): { error: unknown; retry: () => void } {
  const learn = useLearn();
  const [error, setError] = useState<unknown>(undefined);
  const [turn, setTurn] = useState(0);
  const asked = useRef(-1);
  useEffect(() => {
    if (there || asked.current === turn) return;
    asked.current = turn; // once, however often the effect runs
    api.post<Inbox>("/v1/dashboard/inboxes", { name: texts.site.inbox, channelType: "web" }).then((made) => learn("inbox", made), setError);
  }, [there, turn, learn]);
  const retry = () => {
    setError(undefined);
    setTurn((n) => n + 1);
  };
  return { error, retry };
}
