// The people that the workspace talks to: contacts and their companies.
export { CompaniesPage } from "./companies";
export { CompanyPage } from "./company";
export { ContactPage } from "./contact";
export { ContactsPage } from "./contacts";
