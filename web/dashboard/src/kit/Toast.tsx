import { CircleAlert, CircleCheck, X } from "lucide-react";
import { createContext, useCallback, useContext, useMemo, useRef, useState, type ReactNode } from "react";
import { errorText } from "../api/client";
import { Button, IconButton } from "./Button";
import { cx } from "./cx";
import { texts } from "./texts";
import styles from "./Toast.module.css";

interface Action {
  label: string;
  onSelect: () => void;
}
interface Note {
  id: number;
  text: string;
  danger: boolean;
  action: Action | undefined;
  place: string;
}
interface Toasts {
  /**
   * Reports a success; disappears after `shownFor` milliseconds, by default six seconds, or by calling the result. It
   * takes the place of the one before with the same place, so that those of quick work do not stack up.
   */
  done: (text: string, action?: Action, place?: string, shownFor?: number) => () => void;
  /** Reports a failure; stays until it is closed, by the reader or by calling the result. */
  failed: (error: unknown, action?: Action) => () => void;
}

/** Looks like a notification. */
export const toastClass = styles.toast;

/** Where notifications are, for those that a component renders by itself. */
export const toastRegion = () => document.querySelector("[data-toasts]");

const Context = createContext<Toasts | null>(null);

export function useToast(): Toasts {
  const toasts = useContext(Context);
  if (!toasts) throw new Error("useToast outside of ToastProvider");
  return toasts;
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [notes, setNotes] = useState<readonly Note[]>([]);
  const last = useRef(0);
  const close = useCallback((id: number) => setNotes((old) => old.filter((note) => note.id !== id)), []);
  const toasts = useMemo<Toasts>(() => {
    const show = (text: string, danger: boolean, action?: Action, place = "", shownFor = 6000) => {
      const id = ++last.current;
      // More than a few at once would cover the page.
      setNotes((old) => [...old.filter((note) => note.text !== text && (place === "" || note.place !== place)).slice(-2), { id, text, danger, action, place }]);
      if (!danger) setTimeout(() => close(id), shownFor);
      return () => close(id);
    };
    return { done: (text, action, place, shownFor) => show(text, false, action, place, shownFor), failed: (error, action) => show(errorText(error), true, action) };
  }, [close]);
  return (
    <Context value={toasts}>
      {children}
      <div className={styles.region} data-toasts role="region" aria-label={texts.toast.notifications} aria-live="polite">
        {notes.map((note) => (
          <div key={note.id} className={cx(styles.toast, note.danger && styles.danger)}>
            {note.danger ? <CircleAlert size={16} aria-hidden /> : <CircleCheck size={16} aria-hidden />}
            <p>{note.text}</p>
            {note.action && (
              <Button
                size="sm"
                onClick={() => {
                  note.action?.onSelect();
                  close(note.id);
                }}
              >
                {note.action.label}
              </Button>
            )}
            <IconButton size="sm" label={texts.toast.closeTheNotification} icon={<X size={14} />} onClick={() => close(note.id)} />
          </div>
        ))}
      </div>
    </Context>
  );
}
