import { GitCompareArrows, TriangleAlert } from "lucide-react";
import { useState } from "react";
import type { Content } from "../api/knowledge";
import { Button, Dialog } from "../kit";
import { DiffView } from "./DiffView";
import css from "./Editor.module.css";
import type { Theirs } from "./session";
import { texts } from "./texts";

interface Props {
  theirs: Theirs;
  mine: Content;
  onKeep: () => void;
  onTake: () => void;
}

/** Says who saved another text meanwhile, and offers both. */
export function Conflict({ theirs, mine, onKeep, onTake }: Props) {
  const [comparing, setComparing] = useState(false);
  const who = theirs.own ? texts.conflict.own : theirs.by ? texts.conflict.by(theirs.by) : texts.conflict.somebody;
  const buttons = (
    <>
      <Button size="sm" onClick={onTake}>
        {theirs.own ? texts.conflict.takeSaved : texts.conflict.takeTheirs}
      </Button>
      <Button size="sm" variant="primary" onClick={onKeep}>
        {texts.conflict.keepMine}
      </Button>
    </>
  );
  return (
    <section className={css.conflict} role="alert" aria-label={texts.conflict.title}>
      <TriangleAlert size={18} aria-hidden />
      <div>
        <strong>{who}</strong>
        <p>{texts.conflict.nothingLost}</p>
      </div>
      <div className={css.conflictActions}>
        <Button size="sm" variant="ghost" icon={<GitCompareArrows size={15} />} onClick={() => setComparing(true)}>
          {texts.conflict.compare}
        </Button>
        {buttons}
      </div>
      <Dialog open={comparing} onClose={() => setComparing(false)} wide title={texts.conflict.compareTitle} description={who} footer={buttons}>
        <DiffView before={theirs.content} after={mine} />
      </Dialog>
    </section>
  );
}
