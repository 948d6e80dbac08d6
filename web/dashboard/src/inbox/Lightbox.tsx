import * as Ariakit from "@ariakit/react";
import { ArrowLeft, ArrowRight, ExternalLink, X } from "lucide-react";
import { useState, type ReactNode } from "react";
import { fileAddress } from "../../../shared/files";
import type { Attachment } from "../api/types";
import { IconButton } from "../kit";
import { useSelect } from "../sync";
import { useAddress } from "./address";
import { shownAs } from "./files";
import styles from "./Lightbox.module.css";
import { texts } from "./words.texts";

interface Props {
  conversationId: string;
  /** The picture that is opened. */
  start: Attachment;
  onClose: () => void;
}

/** The pictures of a conversation, one at a time, as large as the window. The arrows go to the others. */
export function Lightbox({ conversationId, start, onClose }: Props) {
  const pictures = usePictures(conversationId, start);
  const [id, setId] = useState(start.id);
  const at = Math.max(
    0,
    pictures.findIndex((one) => one.id === id),
  );
  const shown = pictures[at] ?? start;
  const go = (step: number) => {
    const next = pictures[at + step];
    if (next) setId(next.id);
  };
  return (
    <Ariakit.Dialog
      open
      onClose={onClose}
      className={styles.box}
      aria-label={texts.pictures}
      onKeyDown={(event) => {
        if (event.key === "ArrowLeft") go(-1);
        if (event.key === "ArrowRight") go(1);
      }}
    >
      <Picture key={shown.id} attachment={shown} place={texts.place(at + 1, pictures.length)} onClose={onClose}>
        <IconButton label={texts.previous} icon={<ArrowLeft size={18} />} disabled={at === 0} onClick={() => go(-1)} />
        <IconButton label={texts.next} icon={<ArrowRight size={18} />} disabled={at >= pictures.length - 1} onClick={() => go(1)} />
      </Picture>
    </Ariakit.Dialog>
  );
}

function Picture({ attachment, place, onClose, children }: { attachment: Attachment; place: string; onClose: () => void; children: ReactNode }) {
  const { url, refresh } = useAddress(attachment);
  const href = fileAddress(url);
  return (
    <>
      <div className={styles.bar}>
        <span className={styles.name}>{attachment.fileName}</span>
        <span aria-live="polite">{place}</span>
        {children}
        <a href={href} target="_blank" rel="noopener noreferrer" aria-label={texts.openInTab} title={texts.openInTab}>
          <ExternalLink size={18} aria-hidden />
        </a>
        <IconButton label={texts.close} icon={<X size={18} />} onClick={onClose} />
      </div>
      <img className={styles.picture} src={href} alt={attachment.fileName} onError={() => void refresh()} />
    </>
  );
}

/** The loaded pictures of a conversation, oldest first. */
function usePictures(conversationId: string, start: Attachment): readonly Attachment[] {
  const log = useSelect((state) => state.messages.get(conversationId));
  const all = log?.items.flatMap(({ value }) => value.attachments.filter((one) => shownAs(one) === "picture")) ?? [];
  return all.some((one) => one.id === start.id) ? all : [start];
}
