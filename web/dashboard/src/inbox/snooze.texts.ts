// Texts of snoozing.

export const texts = {
  snooze: "Snooze",
  title: "Snooze until",
  when: "When",
  hint: "Such as tomorrow 9, fr 14, 3d or 24.12.",
  notUnderstood: "Type a time to come, such as tomorrow 9",
  wake: "Wake now",
  times: "Times",
  presets: { later: "Later today", tomorrow: "Tomorrow", monday: "Monday", week: "In a week" },
  asTyped: "As typed",
  snoozed: (time: string) => `Snoozed until ${time}`,
  snoozedView: "Snoozed",
  backView: "Back",
  back: (time: string) => `Back since ${time}`,
};
