import { FileText, X } from "lucide-react";
import { IconButton } from "../kit";
import styles from "./Files.module.css";
import { fileAddress, fileSize } from "../../../shared/files";
import { shownAs } from "./files";
import { texts } from "./texts";
import type { Upload } from "./uploads";

/** The files of a message that is being written, each with a button that removes it. */
export function UploadList({ all, onRemove }: { all: readonly Upload[]; onRemove: (key: string) => void }) {
  if (all.length === 0) return null;
  return (
    <ul className={styles.uploads} aria-label={texts.uploadList.attachedFiles}>
      {all.map(({ key, name, share, file, fault }) => (
        <li key={key} className={styles.upload}>
          {file && shownAs(file) === "picture" ? <img className={styles.thumb} src={fileAddress(file.url)} alt="" /> : <FileText size={16} aria-hidden />}
          <span className={styles.name} title={name}>
            {name}
          </span>
          {fault !== "" ? (
            <span className={styles.fault} role="alert">
              {fault}
            </span>
          ) : file ? (
            <span className={styles.size}>{fileSize(file.size)}</span>
          ) : (
            <progress className={styles.progress} value={share} aria-label={texts.uploadList.sending(name)} />
          )}
          <IconButton size="sm" label={texts.uploadList.remove(name)} icon={<X size={14} />} onClick={() => onRemove(key)} />
        </li>
      ))}
    </ul>
  );
}
