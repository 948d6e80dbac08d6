// The controls of a report: its range, its rows, its filter.
import { useEffect, useState } from "react";
import { Button, Combobox, Segmented, SelectField, TextField } from "../kit";
import { searchCompanies } from "../people/companylink";
import { useInboxes, useMe, useMembers, useProducts, useSelect, useStore } from "../sync";
import { dimensions, lastDays, lastWeek, rangeFault, type Filter, type ReportQuery } from "./query";
import css from "./reports.module.css";
import { texts } from "./texts";

interface ControlsProps {
  query: ReportQuery;
  today: string;
  onChange: (query: ReportQuery) => void;
}

export function Controls({ query, today, onChange }: ControlsProps) {
  const limited = useMe().access === "own";
  return (
    <div className={css.controls}>
      <Range query={query} today={today} onChange={onChange} />
      <Segmented
        label={texts.controls.rowsBy}
        options={limited ? dimensions.filter(({ value }) => value === "day" || value === "inbox") : dimensions}
        value={query.by}
        onChange={(by) => onChange({ ...query, by, filter: by === "day" ? query.filter : null })}
      />
      {query.by === "day" && <FilterField filter={query.filter} onChange={(filter) => onChange({ ...query, filter })} limited={limited} />}
      {limited && <p className={css.limited}>{texts.controls.limited}</p>}
    </div>
  );
}

/** The ranges to choose from. */
const presets = [
  { value: "week", label: texts.controls.lastWeek, range: lastWeek },
  ...[7, 30, 90].map((days) => ({ value: String(days), label: texts.controls.lastDays(String(days)), range: (today: string) => lastDays(days, today) })),
];

/** The range of a report. */
export function Range({ query, today, onChange }: ControlsProps) {
  const preset = presets.find(({ range }) => range(today).from === query.from && range(today).to === query.to)?.value;
  const [custom, setCustom] = useState(false);
  const [from, setFrom] = useState(query.from);
  const [to, setTo] = useState(query.to);
  const open = custom || preset === undefined;

  // Back and forward change the range without the fields.
  useEffect(() => {
    setFrom(query.from);
    setTo(query.to);
  }, [query.from, query.to]);
  const fault = open ? rangeFault(from, to) : "";

  function choose(value: string) {
    setCustom(value === "custom");
    const range = presets.find((one) => one.value === value)?.range(today);
    const next = { ...query, ...range };
    setFrom(next.from);
    setTo(next.to);
    if (range) onChange(next);
  }

  return (
    <>
      <Segmented label={texts.controls.days} options={[...presets, { value: "custom", label: texts.controls.custom }]} value={open ? "custom" : preset} onChange={choose} />
      {open && (
        <form
          className={css.custom}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (fault === "") onChange({ ...query, from, to });
          }}
        >
          <TextField label={texts.controls.from} type="date" max={today} value={from} onChange={setFrom} />
          <TextField label={texts.controls.to} type="date" max={today} value={to} onChange={setTo} />
          <Button type="submit" disabled={fault !== "" || (from === query.from && to === query.to)}>
            {texts.controls.show}
          </Button>
          <p className={css.fault} role="status">
            {fault}
          </p>
        </form>
      )}
    </>
  );
}

type FilterKind = Filter["dimension"] | "";

const kinds: readonly { value: FilterKind; label: string }[] = [
  { value: "", label: texts.controls.everything },
  { value: "product", label: texts.controls.oneProduct },
  { value: "inbox", label: texts.controls.oneInbox },
  { value: "member", label: texts.controls.oneMember },
  { value: "company", label: texts.controls.oneCompany },
];

interface FilterProps {
  filter: Filter | null;
  /** Whether the member sees the figures of inboxes alone. */
  limited: boolean;
  onChange: (filter: Filter | null) => void;
}

function FilterField({ filter, limited, onChange }: FilterProps) {
  const [chosen, setChosen] = useState<FilterKind>("");
  const kind = filter?.dimension ?? chosen;

  function choose(next: FilterKind) {
    setChosen(next);
    if (filter) onChange(null);
  }

  return (
    <div className={css.filter}>
      <SelectField label={texts.controls.conversations} hideLabel value={kind} options={limited ? kinds.filter(({ value }) => value === "" || value === "inbox") : kinds} onChange={choose} />
      {kind !== "" && <FilterValue kind={kind} id={filter?.id ?? ""} onChange={(id) => onChange(id === "" ? null : { dimension: kind, id })} />}
    </div>
  );
}

function FilterValue({ kind, id, onChange }: { kind: Filter["dimension"]; id: string; onChange: (id: string) => void }) {
  const products = useProducts();
  const inboxes = useInboxes();
  const members = useMembers();
  if (kind === "company") return <CompanyValue id={id} onChange={onChange} />;
  const records = { product: products, inbox: inboxes, member: members }[kind];
  return (
    <SelectField
      className={css.filterValue}
      label={texts.controls.which[kind]}
      hideLabel
      value={id}
      options={[{ value: "", label: texts.controls.choose[kind] }, ...records.map((record) => ({ value: record.id, label: record.name }))]}
      onChange={onChange}
    />
  );
}

function CompanyValue({ id, onChange }: { id: string; onChange: (id: string) => void }) {
  const store = useStore();
  const name = useSelect((state) => state.companies.get(id)?.value.name);
  // An address that was sent to somebody names the company by its id only.
  useEffect(() => {
    if (id !== "" && name === undefined) void store.loadCompany(id);
  }, [store, id, name]);
  return (
    <div className={css.filterValue}>
      <Combobox
        label={texts.controls.company}
        hideLabel
        placeholder={texts.controls.searchCompanies}
        value={id === "" ? null : { value: id, label: name ?? "…" }}
        search={searchCompanies}
        onChange={(choice) => onChange(choice?.value ?? "")}
      />
    </div>
  );
}
