import type { texts as en } from "./snooze.texts";

export const texts = {
  snooze: "Zurückstellen",
  title: "Zurückstellen bis",
  when: "Wann",
  hint: "Zum Beispiel morgen 9, fr 14, 3d oder 24.12.",
  notUnderstood: "Geben Sie eine kommende Zeit ein, zum Beispiel morgen 9",
  wake: "Jetzt zurückholen",
  times: "Zeiten",
  presets: { later: "Später heute", tomorrow: "Morgen", monday: "Montag", week: "In einer Woche" },
  asTyped: "Wie eingegeben",
  snoozed: (time: string) => `Zurückgestellt bis ${time}`,
  snoozedView: "Wiedervorlage",
  backView: "Wieder da",
  back: (time: string) => `Zurück seit ${time}`,
} satisfies typeof en;
