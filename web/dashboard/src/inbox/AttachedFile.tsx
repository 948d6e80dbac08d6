import { FileText } from "lucide-react";
import { useEffect, useState, type MouseEvent } from "react";
import { api } from "../api/client";
import type { Attachment } from "../api/types";
import { fileAddress, fileSize } from "../../../shared/files";
import { ended, pictureSize, shownAs } from "./files";
import styles from "./Files.module.css";

/** A file of a message: shown in place if the browser can, otherwise a link that downloads it. */
export function AttachedFile({ attachment }: { attachment: Attachment }) {
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

/** The address of a file, and a way to renew it. A file that cannot be read is retried rarely. */
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
      return url; // the link shows the error
    }
  };
  return { url, refresh };
}
