// The files of a message that is being written.
import { useCallback, useEffect, useRef, useState } from "react";
import { errorText } from "../api/client";
import type { Attachment } from "../api/types";
import { useLatest } from "../kit/useLatest";
import { upload } from "../api/upload";
import { fileFault, fileSize, mostFiles } from "../../../shared/files";
import { texts } from "./texts";

/** A file that is being uploaded, or was. */
export interface Upload {
  key: string;
  name: string;
  /** The uploaded share, from 0 to 1. */
  share: number;
  /** The file on the server; null during the upload. */
  file: Attachment | null;
  /** Why it failed; "" if it has not. */
  fault: string;
}

export interface Uploads {
  all: readonly Upload[];
  /** The uploaded files, in order. */
  ready: readonly Attachment[];
  /** Whether a file is being uploaded. */
  busy: boolean;
  add: (files: Iterable<File>) => void;
  remove: (key: string) => void;
  clear: () => void;
  /** Removes files by their ids on the server. */
  drop: (ids: readonly string[]) => void;
  /** Inserts uploaded files before the others. */
  give: (files: readonly Attachment[]) => void;
}

/** Starts with files that are already uploaded. Unfinished uploads are cancelled when the component unmounts. */
export function useUploads(begin: readonly Attachment[]): Uploads {
  const [all, setAll] = useState<readonly Upload[]>(() => begin.map(there));
  const running = useRef(new Map<string, AbortController>());
  const latest = useLatest(all);
  useEffect(() => {
    const open = running.current;
    return () => open.forEach((one) => one.abort());
  }, []);
  const add = useCallback(
    (files: Iterable<File>) => {
      const begun = room(latest.current, [...files]).map((file) => ({ file, key: crypto.randomUUID(), abort: new AbortController() }));
      setAll((old) => [...old, ...begun.map(({ file, key }) => ({ key, name: file.name, share: 0, file: null, fault: faultOf(file) }))]);
      for (const { file, key, abort } of begun) {
        if (fileFault(file)) continue;
        running.current.set(key, abort);
        upload(file, abort.signal, (share) => setAll((old) => changed(old, key, { share })))
          .then((made) => setAll((old) => changed(old, key, { file: made, name: made.fileName, share: 1 })))
          .catch((error: unknown) => !abort.signal.aborted && setAll((old) => changed(old, key, { fault: errorText(error) })))
          .finally(() => running.current.delete(key));
      }
    },
    [latest],
  );
  const remove = useCallback((key: string) => {
    running.current.get(key)?.abort();
    setAll((old) => old.filter((one) => one.key !== key));
  }, []);
  const clear = useCallback(() => setAll([]), []);
  const drop = useCallback((ids: readonly string[]) => setAll((old) => old.filter(({ file }) => !file || !ids.includes(file.id))), []);
  const give = useCallback((files: readonly Attachment[]) => setAll((old) => [...files.map(there), ...old]), []);
  return { all, ready: readyOf(all), busy: all.some((one) => !one.file && one.fault === ""), add, remove, clear, drop, give };
}

function there(file: Attachment): Upload {
  return { key: file.id, name: file.fileName, share: 1, file, fault: "" };
}

/** Those of the files that fit into the message; failed uploads do not count. */
export function room<T>(all: readonly Upload[], files: readonly T[]): T[] {
  return files.slice(0, Math.max(0, mostFiles - all.filter((one) => one.fault === "").length));
}

export function readyOf(all: readonly Upload[]): Attachment[] {
  return all.flatMap(({ file }) => (file ? [file] : []));
}

export function changed(all: readonly Upload[], key: string, change: Partial<Upload>): readonly Upload[] {
  return all.map((one) => (one.key === key ? { ...one, ...change } : one));
}

/** Why a file cannot be sent; "" if it can. */
function faultOf(file: File): string {
  const fault = fileFault(file);
  if (!fault) return "";
  return fault === "large" ? texts.files.large(fileSize(file.size)) : texts.files.empty;
}
