import { Check, Copy } from "lucide-react";
import { useRef, useState } from "react";
import { Button, IconButton } from "./Button";
import styles from "./CopyField.module.css";
import { texts } from "./texts";

/** Copies the text and returns whether it worked: browsers refuse it on insecure pages. */
function useCopy(text: string) {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      return;
    }
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), 2000);
  };
  return { copied, copy };
}

/** A value to copy: a secret, a link. With `once` it says that the value will not be shown again. */
export function CopyField({ label, value, once = false }: { label: string; value: string; once?: boolean }) {
  const { copied, copy } = useCopy(value);
  return (
    <div>
      <span className={styles.label}>{label}</span>
      <div className={styles.copy}>
        <output className={styles.value} aria-label={label}>
          {value}
        </output>
        <Button size="sm" icon={copied ? <Check size={14} /> : <Copy size={14} />} onClick={() => void copy()}>
          <span aria-live="polite">{copied ? texts.copyField.copied : texts.copyField.copy}</span>
        </Button>
      </div>
      {once && <p className={styles.once}>{texts.copyField.shownOnce}</p>}
    </div>
  );
}

/** A small copy button, for example for an id. */
export function CopyButton({ label, value }: { label: string; value: string }) {
  const { copied, copy } = useCopy(value);
  return <IconButton size="sm" label={copied ? texts.copyField.copied : label} icon={copied ? <Check size={14} /> : <Copy size={14} />} onClick={() => void copy()} />;
}
