import { ArrowRight, Merge, Undo2 } from "lucide-react";
import { useLocation } from "wouter";
import { api } from "../api/client";
import { Button, useToast } from "../kit";
import type { Line } from "./history";
import { texts as merges } from "./merges.texts";
import styles from "./Split.module.css";
import { texts } from "./split.texts";
import { useTakeOut } from "./useMerging";

/** What can be done about a line of the history: a merge or a split can be undone, and the other conversation opened. */
export function LineActs({ line, conversationId }: { line: Line; conversationId: string }) {
  const takeOut = useTakeOut();
  const toast = useToast();
  const [, navigate] = useLocation();
  const { merged, split, other } = line;
  const mergeBack = (id: string) =>
    api.post(`/v1/dashboard/conversations/${id}/merge`, { intoId: conversationId }).then(
      () => toast.done(texts.undone),
      (error: unknown) => toast.failed(error),
    );
  return (
    <span className={styles.acts}>
      {other && (
        <Button size="sm" icon={<ArrowRight size={14} />} onClick={() => navigate(`/inbox/${other}`)}>
          {texts.open}
        </Button>
      )}
      {split && (
        <Button size="sm" icon={<Merge size={14} />} onClick={() => void mergeBack(split)}>
          {texts.back}
        </Button>
      )}
      {merged && (
        <Button size="sm" icon={<Undo2 size={14} />} onClick={() => takeOut(merged)}>
          {merges.undoMerge}
        </Button>
      )}
    </span>
  );
}
