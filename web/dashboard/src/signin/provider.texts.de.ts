// Texte der Anmeldung mit einem Anbieter.
import type { texts as english } from "./provider.texts";

export const texts: typeof english = {
  signInWith: (host: string) => `Mit ${host} anmelden`,
  title: "Mit dem Anbieter anmelden",
  lead: (workspace: string) => `${workspace} meldet Mitglieder mit einem Anbieter an. Passwörter öffnen dort nichts.`,
  none: "Der Arbeitsbereich hat keinen Anbieter mehr. Gehen Sie zurück und geben Sie Ihr Passwort ein.",
  refused: {
    bad_provider_answer: "Diese Anmeldung ist abgelaufen oder begann in einem anderen Browser. Beginnen Sie von vorn.",
    provider_declined: "Der Anbieter hat Sie nicht angemeldet.",
    provider_unreachable: "Der Anbieter antwortet gerade nicht. Versuchen Sie es noch einmal.",
    bad_provider_code: "Die Anmeldung mit dem Anbieter geht gerade nicht. Versuchen Sie es noch einmal; bleibt es so, fragen Sie einen Inhaber.",
    bad_provider_token: "Was der Anbieter über Sie sagt, ist nicht vertrauenswürdig. Fragen Sie einen Inhaber.",
    provider_not_member: "Sie sind kein Mitglied dieses Arbeitsbereichs. Bitten Sie einen Admin um eine Einladung.",
    provider_no_group: "Sie sind in keiner der Gruppen des Anbieters, die sich hier anmelden dürfen. Fragen Sie einen Admin.",
    provider_unverified: "Der Anbieter sagt nicht, dass Ihre E-Mail-Adresse bestätigt ist. Fragen Sie einen Admin.",
    provider_taken: "Dieses Konto oder das des Anbieters ist mit einem anderen verbunden. Ein Inhaber kann das beenden.",
    provider_unbound: "Melden Sie sich zuerst mit Ihrem Passwort an und verbinden Sie Ihr Konto in Ihrem Profil mit dem Anbieter.",
  },
};
