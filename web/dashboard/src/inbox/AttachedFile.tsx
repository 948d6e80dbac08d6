import { FileText } from "lucide-react";
import { useEffect, useState, type MouseEvent } from "react";
import { api } from "../api/client";
import type { Attachment } from "../api/types";
import { fileAddress, fileSize } from "../../../shared/files";
import { ended, pictureSize, shownAs } from "./files";
import styles from "./Files.module.css";

/** A file of a message: what a browser can show in its place, all else as a link that saves it. */
export function AttachedFile({ attachment }: { attachment: Attachment }) {
  const { url, refresh } = useAddress(attachment);
  const href = fileAddress(url);
  const { fileName } = attachment;
  // The address of a page that was open for long has ended when one presses.
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
        <a {...link}>
          <img className={styles.picture} src={href} alt={fileName} {...pictureSize(attachment)} loading="lazy" onError={() => void refresh()} />
        </a>
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

/** The address of a file, and how to get one that holds again. A file that cannot be had is asked for once in a while, not again and again. */
function useAddress({ id, url: given }: Attachment): { url: string; refresh: () => Promise<string> } {
  const [url, setURL] = useState(given);
  useEffect(() => setURL(given), [given]);
  const refresh = async () => {
    if (!ended(url, Date.now())) return url;
    try {
      const fresh = (await api.get<Attachment>(`/v1/public/attachments/${id}`)).url;
      setURL(fresh);
      return fresh;
    } catch {
      return url; // the link says the rest
    }
  };
  return { url, refresh };
}
