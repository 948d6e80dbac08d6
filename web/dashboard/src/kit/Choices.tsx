import * as Ariakit from "@ariakit/react";
import { Check } from "lucide-react";
import { useMemo, useState } from "react";
import { fold } from "./fold";
import type { ChoicesProps } from "./Picker";
import styles from "./Popover.module.css";
import { texts } from "./texts";

/** The list of a Picker, in a script of its own. */
export function Choices({ close, ...props }: ChoicesProps) {
  const many = "values" in props;
  const [query, setQuery] = useState("");
  const combobox = Ariakit.useComboboxStore({ open: true, value: query, setValue: setQuery });
  const found = useMemo(() => {
    const wanted = fold(query);
    return wanted === "" ? props.choices : props.choices.filter((choice) => fold(`${choice.label} ${choice.detail ?? ""}`).includes(wanted));
  }, [props.choices, query]);
  const typed = query.trim();
  const creates = props.onCreate && typed !== "" && !props.choices.some((choice) => fold(choice.label) === fold(typed));
  const chosen = (value: string) => ("values" in props ? props.values.includes(value) : props.value === value);
  const choose = (value: string) => {
    if ("values" in props) return props.onToggle(value);
    close();
    if (value !== props.value) props.onChange(value);
  };
  return (
    <>
      <Ariakit.Combobox store={combobox} autoSelect="always" autoFocus className={styles.query} placeholder={props.placeholder ?? texts.picker.search} aria-label={props.label} />
      <Ariakit.ComboboxList store={combobox} alwaysVisible className={styles.list} aria-label={props.label} {...(many && { "aria-multiselectable": true })}>
        {found.map((choice) => (
          <Ariakit.ComboboxItem
            key={choice.value}
            className={styles.item}
            focusOnHover
            hideOnClick={false}
            setValueOnClick={false}
            aria-selected={chosen(choice.value)}
            onClick={() => choose(choice.value)}
          >
            {choice.icon}
            <span className={styles.text}>
              {choice.label} {choice.detail && <small>{choice.detail}</small>}
            </span>
            <span className={styles.check}>{chosen(choice.value) && <Check size={15} aria-hidden />}</span>
          </Ariakit.ComboboxItem>
        ))}
        {creates && (
          <Ariakit.ComboboxItem
            className={styles.item}
            focusOnHover
            hideOnClick={false}
            setValueOnClick={false}
            onClick={() => {
              props.onCreate?.(typed);
              setQuery("");
              if (!many) close();
            }}
          >
            <span className={styles.text}>{texts.picker.add(typed)}</span>
          </Ariakit.ComboboxItem>
        )}
        {found.length === 0 && !creates && <div className={styles.nothing}>{texts.picker.nothingFound}</div>}
      </Ariakit.ComboboxList>
    </>
  );
}
