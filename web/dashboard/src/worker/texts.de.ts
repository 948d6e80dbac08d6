import type { texts as en } from "./texts";

export const texts = {
  locale: "de",
  offline: {
    title: "Keine Verbindung",
    text: "Parley ist nicht erreichbar. Was Sie geschrieben haben, ist weiterhin in diesem Browser; diese Seite macht weiter, sobald die Verbindung wieder steht.",
    retry: "Erneut versuchen",
  },
} satisfies typeof en;
