// The company of a contact: found while typing, linked or unlinked.
import { Building2, Unlink } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { api } from "../api/client";
import type { Company, Contact, Page } from "../api/types";
import { Button, Combobox, IconButton, Section, useAction } from "../kit";
import { CompanyMoves } from "./moves";
import css from "./people.module.css";
import { texts } from "./texts";

/** Finds companies by a part of their name or website. */
export async function searchCompanies(text: string, signal: AbortSignal) {
  const page = await api.get<Page<Company>>("/v1/public/companies", { search: text, limit: 20 }, signal);
  return page.data.map((company) => ({ value: company.id, label: company.name, detail: company.website ?? "" }));
}

interface CompanySectionProps {
  contact: Contact;
  onChange: (change: { companyId: string | null }) => Promise<void>;
}

export function CompanySection({ contact, onChange }: CompanySectionProps) {
  const [choosing, setChoosing] = useState(false);
  const { run } = useAction();
  const { company } = contact;

  async function link(id: string, name: string) {
    if (await run(() => onChange({ companyId: id }), texts.companylink.linkedTo(name))) setChoosing(false);
  }

  return (
    <Section
      title={texts.companylink.company}
      actions={
        !choosing && (
          <Button size="sm" onClick={() => setChoosing(true)}>
            {company ? texts.companylink.change : texts.companylink.linkACompany}
          </Button>
        )
      }
    >
      {choosing ? (
        <div className={css.choose}>
          <Combobox
            label={texts.companylink.company}
            hideLabel
            value={null}
            search={searchCompanies}
            placeholder={texts.companylink.searchCompanies}
            autoFocus
            onChange={(choice) => choice && void link(choice.value, choice.label)}
          />
          <Button variant="ghost" onClick={() => setChoosing(false)}>
            {texts.companylink.cancel}
          </Button>
        </div>
      ) : company ? (
        <div className={css.companyLine}>
          <Building2 size={17} aria-hidden />
          <Link href={`/companies/${company.id}`}>{company.name}</Link>
          <IconButton
            size="sm"
            label={texts.companylink.unlink(company.name)}
            icon={<Unlink size={15} />}
            onClick={() => void run(() => onChange({ companyId: null }), texts.companylink.noLongerLinkedTo(company.name))}
          />
        </div>
      ) : (
        <p className={css.quiet}>{texts.companylink.noCompany}</p>
      )}
      <CompanyMoves contactId={contact.id} />
    </Section>
  );
}
