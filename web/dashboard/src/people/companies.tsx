// The list of companies.
import { Building2, Plus } from "lucide-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { api } from "../api/client";
import type { Company } from "../api/types";
import { usePages } from "../api/useQuery";
import { Button, cx, FormDialog, RelativeTime, rowClass, TextField, useForm } from "../kit";
import { useOnEvent } from "../sync";
import { Directory } from "./directory";
import css from "./people.module.css";
import { texts } from "./texts";
import { useSearchText } from "./useSearchText";

export function CompaniesPage() {
  const { text, setText, asked } = useSearchText();
  const list = usePages<Company>("/v1/public/companies", { search: asked, limit: 50 });
  const [creating, setCreating] = useState(false);

  useOnEvent(({ type, data }) => {
    if (type === "company.created" && asked === "") list.update((all) => [data, ...all]);
    else if (type === "company.updated") list.update((all) => all.map((other) => (other.id === data.id ? data : other)));
  });

  return (
    <>
      <Directory
        title={texts.companies.companies}
        order={texts.companies.newestFirst}
        list={list}
        search={text}
        onSearch={setText}
        searchLabel={texts.companies.searchCompanies}
        empty={{ title: texts.companies.noCompaniesYet, text: texts.companies.whereTheyComeFrom }}
        actions={
          <Button variant="primary" icon={<Plus size={16} />} onClick={() => setCreating(true)}>
            {texts.companies.newCompany}
          </Button>
        }
        row={(company) => <CompanyRow company={company} />}
      />
      {creating && <NewCompany onClose={() => setCreating(false)} />}
    </>
  );
}

function CompanyRow({ company }: { company: Company }) {
  return (
    <Link href={`/companies/${company.id}`} className={cx(rowClass, css.row)}>
      <span className={css.companyIcon} aria-hidden="true">
        <Building2 size={18} />
      </span>
      <span className={css.rowMain}>
        <span className={css.rowName}>{company.name}</span>
        <span className={css.rowDetail}>{[company.website, company.industry].filter(Boolean).join(" · ")}</span>
      </span>
      <span className={css.rowCompany}>{company.externalId}</span>
      <span className={css.rowTime}>
        <span className="visually-hidden">{texts.companies.created} </span>
        <RelativeTime at={company.createdAt} />
      </span>
    </Link>
  );
}

function NewCompany({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation();
  const form = useForm({ name: "", website: "", industry: "", externalId: "" }, async ({ name, ...rest }) => {
    const given = Object.fromEntries(Object.entries(rest).filter(([, text]) => text.trim() !== ""));
    const company = await api.post<Company>("/v1/public/companies", { name, ...given });
    onClose();
    navigate(`/companies/${company.id}`);
  });
  return (
    <FormDialog title={texts.companies.newCompany} action={texts.companies.createCompany} form={form} onClose={onClose}>
      <TextField label={texts.companies.name} autoFocus autoComplete="off" {...form.field("name")} />
      <TextField label={texts.companies.website} optional type="url" autoComplete="off" {...form.field("website")} />
      <TextField label={texts.companies.industry} optional autoComplete="off" {...form.field("industry")} />
      <TextField label={texts.companies.yourOwnAccountId} optional autoComplete="off" hint={texts.companies.idHint} {...form.field("externalId")} />
    </FormDialog>
  );
}
