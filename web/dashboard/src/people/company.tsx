// One company: its fields, its people, its conversations.
import { ExternalLink, UserPlus } from "lucide-react";
import { useState } from "react";
import { useParams } from "wouter";
import { api, ApiError } from "../api/client";
import type { Company, Contact, List, Page as ApiPage } from "../api/types";
import { useQuery } from "../api/useQuery";
import { Button, Combobox, CopyButton, EmptyState, ErrorState, Facts, fullTime, Page, Section, SkeletonRows, useAction } from "../kit";
import { useCompany, useOnEvent, useStore } from "../sync";
import { ContactRow } from "./contacts";
import { ConversationsSection } from "./conversations";
import { EditableField } from "./EditableField";
import { contactDetail, contactName, websiteLink } from "./names";
import css from "./people.module.css";
import { texts } from "./texts";

/** The most contacts that the API lists of one company. */
const mostContacts = 200;

export function CompanyPage() {
  const { id } = useParams<{ id: string }>();
  const { value: company, error, reload } = useCompany(id);
  if (company) return <Loaded key={company.id} company={company} />;
  return (
    <Page title={texts.company.company} back={{ href: "/companies", label: texts.company.companies }}>
      {error === undefined ? (
        <SkeletonRows count={4} />
      ) : error instanceof ApiError && error.status === 404 ? (
        <EmptyState title={texts.company.companyNotFound}>{texts.company.whyNotFound}</EmptyState>
      ) : (
        <ErrorState error={error} onRetry={reload} />
      )}
    </Page>
  );
}

function Loaded({ company }: { company: Company }) {
  const link = company.website ? websiteLink(company.website) : null;
  return (
    <Page
      title={company.name}
      back={{ href: "/companies", label: texts.company.companies }}
      actions={
        link && (
          <a className={css.website} href={link} target="_blank" rel="noopener noreferrer">
            {company.website} <ExternalLink size={14} aria-hidden />
            <span className="visually-hidden">{texts.company.opensANewTab}</span>
          </a>
        )
      }
    >
      <div className={css.columns}>
        <div className={css.column}>
          <Section title={texts.company.details}>
            <Details company={company} />
          </Section>
          <Section title={texts.company.record}>
            <Facts
              items={[
                [
                  texts.company.id,
                  <span className={css.idLine}>
                    <code>{company.id}</code>
                    <CopyButton label={texts.company.copyTheId} value={company.id} />
                  </span>,
                ],
                [texts.company.created, fullTime(company.createdAt)],
                [texts.company.changed, fullTime(company.updatedAt)],
              ]}
            />
          </Section>
        </div>
        <div className={css.column}>
          <ContactsSection company={company} />
          <ConversationsSection filter={{ companyId: company.id }} withContact empty={texts.company.noConversations} />
        </div>
      </div>
    </Page>
  );
}

function Details({ company }: { company: Company }) {
  const store = useStore();
  async function change(patch: object) {
    await api.patch<Company>(`/v1/public/companies/${company.id}`, patch);
    await store.loadCompany(company.id);
  }
  return (
    <div className={css.fields}>
      <EditableField label={texts.company.name} name="name" value={company.name} onSave={(name) => change({ name })} />
      <EditableField label={texts.company.website} name="website" type="url" value={company.website ?? ""} onSave={(text) => change({ website: text || null })} />
      <EditableField label={texts.company.industry} name="industry" value={company.industry ?? ""} onSave={(text) => change({ industry: text || null })} />
      <EditableField label={texts.company.yourAccountId} name="externalId" value={company.externalId ?? ""} onSave={(text) => change({ externalId: text || null })} />
      <EditableField label={texts.company.notes} name="notes" multiline value={company.notes ?? ""} onSave={(text) => change({ notes: text || null })} />
    </div>
  );
}

function ContactsSection({ company }: { company: Company }) {
  const contacts = useQuery<List<Contact>>(`/v1/public/companies/${company.id}/contacts?limit=${mostContacts}`);
  const [linking, setLinking] = useState(false);
  const rows = contacts.data?.data;

  useOnEvent(({ type, data }) => {
    if (type === "contact.merged") contacts.reload();
    else if (type === "contact.updated" && (data.companyId === company.id || rows?.some((row) => row.id === data.id))) contacts.reload();
  });

  return (
    <Section
      title={texts.company.contacts}
      actions={
        !linking && (
          <Button size="sm" icon={<UserPlus size={15} />} onClick={() => setLinking(true)}>
            {texts.company.linkAContact}
          </Button>
        )
      }
    >
      {linking && <LinkContact company={company} onDone={() => setLinking(false)} onLinked={contacts.reload} />}
      {rows === undefined ? (
        contacts.error === undefined ? (
          <SkeletonRows count={3} />
        ) : (
          <ErrorState error={contacts.error} onRetry={contacts.reload} />
        )
      ) : rows.length === 0 ? (
        <p className={css.quiet}>{texts.company.noContactsYet}</p>
      ) : (
        <ul className={css.contacts} aria-label={texts.company.contactsOf(company.name)}>
          {rows.map((contact) => (
            <li key={contact.id}>
              <ContactRow contact={contact} />
            </li>
          ))}
        </ul>
      )}
      {rows?.length === mostContacts && <p className={css.quiet}>{texts.company.mostShown(mostContacts)}</p>}
    </Section>
  );
}

function LinkContact({ company, onDone, onLinked }: { company: Company; onDone: () => void; onLinked: () => void }) {
  const { run } = useAction();

  async function search(text: string, signal: AbortSignal) {
    const page = await api.get<ApiPage<Contact>>("/v1/dashboard/contacts", { search: text, limit: 20 }, signal);
    return page.data
      .filter((contact) => contact.companyId !== company.id)
      .map((contact) => ({
        value: contact.id,
        label: contactName(contact),
        detail: [contactDetail(contact), contact.company && texts.company.nowOf(contact.company.name)].filter(Boolean).join(" · "),
      }));
  }

  async function link(id: string, name: string) {
    if (!(await run(() => api.patch<Contact>(`/v1/public/contacts/${id}`, { companyId: company.id }), texts.company.belongsNow(name, company.name)))) return;
    onDone();
    onLinked();
  }

  return (
    <div className={css.choose}>
      <Combobox
        label={texts.company.contact}
        hideLabel
        value={null}
        search={search}
        placeholder={texts.company.searchContacts}
        autoFocus
        onChange={(choice) => choice && void link(choice.value, choice.label)}
      />
      <Button variant="ghost" onClick={onDone}>
        {texts.company.cancel}
      </Button>
    </div>
  );
}
