import type { texts as en } from "./push.texts";

export const texts = {
  title: "Benachrichtigungen auf diesem Gerät",
  description: "Dieser Browser sagt Ihnen, wer Sie erwähnt, Ihnen etwas zugewiesen oder geantwortet hat, auch wenn Parley geschlossen ist. Was gesendet wird, ist für diesen Browser verschlüsselt.",
  onThisDevice: "Auf diesem Gerät benachrichtigen",
  off: "Dieser Server sendet keine.",
  unsupported: "Dieser Browser unterstützt sie nicht.",
  insecure: "Sie benötigen HTTPS. Fragen Sie, wer diesen Server betreibt.",
  install: "Fügen Sie Parley auf einem iPhone oder iPad zuerst zum Home-Bildschirm hinzu (Teilen, dann Zum Home-Bildschirm), und öffnen Sie es von dort.",
  denied: "Ihr Browser blockiert sie. Erlauben Sie Benachrichtigungen für diese Seite in seinen Einstellungen und laden Sie sie neu.",
  notAllowed: "Sie haben Benachrichtigungen nicht erlaubt.",
  turnedOn: "Dieses Gerät benachrichtigt Sie",
  devices: "Ihre Geräte",
  none: "Kein Gerät benachrichtigt Sie.",
  thisOne: "Dieses",
  added: (time: string) => `Hinzugefügt ${time}`,
  usedAt: (added: string, used: string) => `Hinzugefügt ${added} · Zuletzt benachrichtigt ${used}`,
  testOf: (name: string) => `${name} testen`,
  removeOf: (name: string) => `${name} entfernen`,
  removed: "Gerät entfernt",
  outcomes: {
    accepted: "Gesendet. Das Gerät zeigt es gleich an.",
    later: "Der Push-Dienst dieses Browsers antwortet nicht. Parley versucht es mit der nächsten Benachrichtigung wieder.",
    refused: "Der Push-Dienst dieses Browsers hat sie abgelehnt. Schalten Sie die Benachrichtigungen aus und wieder ein.",
    gone: "Dieses Gerät bekommt keine mehr. Schalten Sie sie wieder ein.",
  },
} satisfies typeof en;
