// The list of companies.
import { Building2, Plus } from "lucide-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { api } from "../api/client";
import type { Company } from "../api/types";
import { usePages } from "../api/useQuery";
import { Button, FormDialog, RelativeTime, TextField, useForm } from "../kit";
import { useOnEvent } from "../sync";
import { Directory } from "./directory";
import css from "./people.module.css";
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
        title="Companies"
        order="Newest first"
        list={list}
        search={text}
        onSearch={setText}
        searchLabel="Search by name or website"
        empty={{ title: "No companies yet", text: "Companies come with signed identities and through the API. You can also create one here." }}
        actions={
          <Button variant="primary" icon={<Plus size={16} />} onClick={() => setCreating(true)}>
            New company
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
    <Link href={`/companies/${company.id}`} className={css.row}>
      <span className={css.companyIcon} aria-hidden="true">
        <Building2 size={18} />
      </span>
      <span className={css.rowMain}>
        <span className={css.rowName}>{company.name}</span>
        <span className={css.rowDetail}>{[company.website, company.industry].filter(Boolean).join(" · ")}</span>
      </span>
      <span className={css.rowCompany}>{company.externalId}</span>
      <span className={css.rowTime}>
        <span className="visually-hidden">Created </span>
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
    <FormDialog title="New company" action="Create company" form={form} onClose={onClose}>
      <TextField label="Name" autoFocus autoComplete="off" {...form.field("name")} />
      <TextField label="Website" optional type="url" autoComplete="off" {...form.field("website")} />
      <TextField label="Industry" optional autoComplete="off" {...form.field("industry")} />
      <TextField label="Your own account id" optional autoComplete="off" hint="If a company with this id already exists, it is updated and opened." {...form.field("externalId")} />
    </FormDialog>
  );
}
