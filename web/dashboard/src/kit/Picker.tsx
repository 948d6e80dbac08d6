import * as Ariakit from "@ariakit/react";
import { Check } from "lucide-react";
import { useMemo, useState, type ReactElement, type ReactNode } from "react";
import { cx } from "./cx";
import { fold } from "./fold";
import styles from "./Popover.module.css";
import { texts } from "./texts";

export interface Choice {
  value: string;
  label: string;
  /** A second, muted text, which is searched too. */
  detail?: string;
  icon?: ReactNode;
}

interface PickerProps {
  /** The button that opens the list. */
  button: ReactElement;
  label: string;
  choices: readonly Choice[];
  placeholder?: string;
  /** Lets a caller open it, for example with a key. */
  open?: boolean;
  setOpen?: (open: boolean) => void;
  /** Offers to create what was typed if no choice has that name. */
  onCreate?: (text: string) => void;
}
type One = PickerProps & { value: string; onChange: (value: string) => void };
type Many = PickerProps & { values: readonly string[]; onToggle: (value: string) => void };

/** A button with a searchable list of choices: one (`value`) or several (`values`, stays open). */
export function Picker(props: One | Many) {
  const { button, label, open, setOpen } = props;
  const popover = Ariakit.usePopoverStore({ placement: "bottom-start", ...(open !== undefined && { open }), ...(setOpen && { setOpen }) });
  return (
    <>
      <Ariakit.PopoverDisclosure store={popover} render={button} />
      <Ariakit.Popover store={popover} gutter={4} portal unmountOnHide className={cx(styles.popover, styles.searchable)} aria-label={label}>
        <Choices {...props} close={popover.hide} />
      </Ariakit.Popover>
    </>
  );
}

function Choices({ close, ...props }: (One | Many) & { close: () => void }) {
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
