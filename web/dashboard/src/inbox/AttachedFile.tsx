import { FileText } from "lucide-react";
import { useState, type MouseEvent } from "react";
import type { Attachment } from "../api/types";
import { fileAddress, fileSize } from "../../../shared/files";
import { dialogChunk } from "../kit";
import { useAddress } from "./address";
import { ended, pictureSize, shownAs } from "./files";
import styles from "./Files.module.css";

const Lightbox = dialogChunk(() => import("./Lightbox").then((m) => m.Lightbox));

/** A file of a message: shown in place if the browser can, otherwise a link that downloads it. */
export function AttachedFile({ attachment, conversationId }: { attachment: Attachment; conversationId: string }) {
  const [large, setLarge] = useState(false);
  const { url, refresh } = useAddress(attachment);
  const href = fileAddress(url);
  const { fileName } = attachment;
  // On a page that has been open for long, the address may have expired before the click.
  const open = async (event: MouseEvent) => {
    if (!ended(url, Date.now())) return;
    event.preventDefault();
    const fresh = fileAddress(await refresh());
    if (fresh) window.open(fresh, "_blank", "noopener,noreferrer");
  };
  const link = { href, target: "_blank", rel: "noopener noreferrer", onClick: (event: MouseEvent) => void open(event) };
  switch (href && shownAs(attachment)) {
    case "picture":
      return (
        <>
          <a
            {...link}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) {
                void open(event);
                return;
              }
              event.preventDefault();
              setLarge(true);
            }}
          >
            <img className={styles.picture} src={href} alt={fileName} {...pictureSize(attachment)} loading="lazy" onError={() => void refresh()} />
          </a>
          {large && <Lightbox conversationId={conversationId} start={attachment} onClose={() => setLarge(false)} />}
        </>
      );
    case "sound":
      return <audio className={styles.sound} src={href} controls preload="none" aria-label={fileName} onError={() => void refresh()} />;
    case "film":
      return <video className={styles.picture} src={href} controls preload="metadata" aria-label={fileName} onError={() => void refresh()} />;
    default:
      return (
        <a className={styles.attachment} {...link}>
          <FileText size={16} aria-hidden />
          <span className={styles.name}>{fileName}</span> <span className={styles.size}>{fileSize(attachment.size)}</span>
        </a>
      );
  }
}
