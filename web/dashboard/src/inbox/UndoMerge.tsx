import { Undo2 } from "lucide-react";
import { Button } from "../kit";
import { texts } from "./merges.texts";
import { useTakeOut } from "./useMerging";

/** Takes a merged conversation out of the open one. */
export function UndoMerge({ id }: { id: string }) {
  const takeOut = useTakeOut();
  return (
    <Button size="sm" icon={<Undo2 size={14} />} onClick={() => takeOut(id)}>
      {texts.undoMerge}
    </Button>
  );
}
