import * as Ariakit from "@ariakit/react";
import { useEffect, useState } from "react";
import { errorText } from "../api/client";
import { Field, inputClass, type FieldProps } from "./Field";
import { fold } from "./fold";
import type { Choice } from "./Picker";
import { useLatest } from "./useLatest";
import styles from "./Popover.module.css";
import { texts } from "./texts";

interface ComboboxProps extends FieldProps {
  /** The chosen value, null for none. */
  value: Choice | null;
  onChange: (value: Choice | null) => void;
  /** The choices, unless `search` asks the server for those that match. */
  choices?: readonly Choice[];
  search?: (text: string, signal: AbortSignal) => Promise<Choice[]>;
  placeholder?: string;
  autoFocus?: boolean;
}

/** A field that finds one of many choices while the user types. Emptying it chooses none. */
export function Combobox({ label, hideLabel, hint, error, optional, value, onChange, choices, search, placeholder, autoFocus }: ComboboxProps) {
  const [text, setText] = useState(value?.label ?? "");
  const [typed, setTyped] = useState(false);
  const { found, busy, fault } = useFound(typed ? text : "", choices, search);
  useEffect(() => {
    setText(value?.label ?? "");
    setTyped(false);
  }, [value?.value, value?.label]);
  const store = Ariakit.useComboboxStore({
    value: text,
    setValue: (next) => {
      setText(next);
      setTyped(true);
      if (next === "" && value) onChange(null);
    },
    selectedValue: value?.value ?? "",
    setSelectedValue: (next) => {
      const choice = found.find((one) => one.value === next);
      if (choice) {
        onChange(choice);
        setText(choice.label);
        setTyped(false);
      }
    },
  });
  return (
    <Field {...{ label, hint, error }} hideLabel={hideLabel ?? false} optional={optional ?? false}>
      {(wiring) => (
        <>
          <Ariakit.Combobox
            store={store}
            {...wiring}
            className={inputClass}
            placeholder={placeholder ?? texts.combobox.typeToSearch}
            autoSelect
            showMinLength={0}
            autoFocus={autoFocus ?? false}
            onBlur={() => setText(value?.label ?? "")}
          />
          <Ariakit.ComboboxPopover store={store} gutter={4} sameWidth portal unmountOnHide className={styles.popover}>
            {found.map((choice) => (
              <Ariakit.ComboboxItem key={choice.value} value={choice.value} setValueOnClick={false} focusOnHover className={styles.item}>
                {choice.icon}
                <span className={styles.text}>
                  {choice.label} {choice.detail && <small>{choice.detail}</small>}
                </span>
              </Ariakit.ComboboxItem>
            ))}
            {found.length === 0 && <div className={styles.nothing}>{fault || (busy ? texts.combobox.searching : texts.combobox.nothingFound)}</div>}
          </Ariakit.ComboboxPopover>
        </>
      )}
    </Field>
  );
}

/** The matches of the text: choices at once, the server's after a short pause in typing. */
function useFound(text: string, choices: readonly Choice[] | undefined, search: ComboboxProps["search"]) {
  const [remote, setRemote] = useState<Choice[]>([]);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState("");
  const latest = useLatest(search);
  const asks = search !== undefined;
  useEffect(() => {
    if (!asks) return;
    const abort = new AbortController();
    setBusy(true);
    const timer = setTimeout(
      () => {
        latest.current?.(text.trim(), abort.signal).then(
          (found) => {
            setRemote(found);
            setBusy(false);
            setFault("");
          },
          (error: unknown) => {
            if (abort.signal.aborted) return;
            setBusy(false);
            setFault(errorText(error));
          },
        );
      },
      text === "" ? 0 : 180,
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text, asks, latest]);
  const wanted = fold(text);
  const found = asks ? remote : (choices ?? []).filter((choice) => wanted === "" || fold(`${choice.label} ${choice.detail ?? ""}`).includes(wanted));
  return { found, busy, fault };
}
