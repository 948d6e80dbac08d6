import type { texts as en } from "./roles.texts";

export const texts = {
  agent: "Agent",
  agentMay: "Beantwortet Unterhaltungen und verwaltet Kontakte.",
  admin: "Admin",
  adminMay: "Verwaltet außerdem Agenten, Schlüssel, Produkte, Postfächer und Labels.",
  owner: "Inhaber",
  ownerMay: "Verwaltet außerdem Admins und Inhaber, die Geheimnisse der Identität und den Arbeitsbereich selbst.",
} satisfies typeof en;
