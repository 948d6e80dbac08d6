import { CircleAlert, CircleCheck, ListChecks, X } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { createPortal } from "react-dom";
import { api } from "../api/client";
import type { BulkJob } from "../api/types";
import { Button, IconButton, toastClass, toastRegion, useToast } from "../kit";
import { useOnSignal } from "../sync";
import { useCell } from "../sync/cell";
import { follow, followed } from "./bulk";
import { texts } from "./bulk.texts";
import styles from "./Selection.module.css";

/** How long the end of a job shows, and how often a job is read whose signals may be lost, in ms. */
const shows = 30_000;
const pause = 4000;

/** How far the job is that this tab follows, and what it did, among the notifications. */
export function BulkNote() {
  const id = useCell(followed, (now) => now);
  const region = toastRegion();
  return id && region ? createPortal(<Note key={id} id={id} />, region) : null;
}

function Note({ id }: { id: string }) {
  const toast = useToast();
  const [job, setJob] = useState<BulkJob | null>(null);
  const path = `/v1/dashboard/bulk/${id}`;
  const running = job === null || job.state === "running";
  const saw = (now: BulkJob) => setJob((before) => (before && before.state !== "running" ? before : now));
  const read = useEffectEvent(() => api.get<BulkJob>(path).then(saw, () => (job ? undefined : follow(""))));
  useOnSignal("bulk", (news) => news.id === id && saw(news));
  useEffect(() => {
    if (!running) {
      const timer = setTimeout(() => follow(""), shows);
      return () => clearTimeout(timer);
    }
    void read();
    const timer = setInterval(() => void read(), pause);
    return () => clearInterval(timer);
  }, [running]);
  if (!job) return null;
  const cancel = () => api.post<BulkJob>(`${path}/cancel`).then(saw, (error: unknown) => toast.failed(error));
  const undo = () =>
    api.post<BulkJob>(`${path}/undo`).then(
      (next) => follow(next.id),
      (error: unknown) => toast.failed(error),
    );
  const { state, changed, total, skipped, failed, reasons } = job;
  const reached = changed + skipped + failed;
  if (running) {
    return (
      <div className={toastClass}>
        <ListChecks size={16} aria-hidden />
        <div className={styles.note}>
          <p>{texts.working}</p>
          <progress max={total} value={reached} aria-label={texts.working} />
          <small>{texts.reached(reached, total)}</small>
        </div>
        <Button size="sm" onClick={() => void cancel()}>
          {texts.cancel}
        </Button>
      </div>
    );
  }
  const names = Object.keys(texts.reasons) as (keyof typeof texts.reasons)[];
  const left = names.filter((name) => reasons[name] > 0).map((name) => texts.reasons[name](reasons[name]));
  return (
    <div className={toastClass}>
      {state === "done" ? <CircleCheck size={16} aria-hidden /> : <CircleAlert size={16} aria-hidden />}
      <div className={styles.note}>
        <p>
          {state !== "done" && `${state === "failed" ? texts.failed : texts.cancelled}. `}
          {job.action === "undo" ? texts.undone(changed) : texts.changed(changed)}
        </p>
        {left.length > 0 && <small>{left.join(", ")}</small>}
      </div>
      {changed > 0 && job.action !== "read" && job.action !== "undo" && (
        <Button size="sm" onClick={() => void undo()}>
          {texts.undo}
        </Button>
      )}
      <IconButton size="sm" label={texts.close} icon={<X size={14} />} onClick={() => follow("")} />
    </div>
  );
}
