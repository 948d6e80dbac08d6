// Texts about notifications on this device.

export const texts = {
  title: "Notifications on this device",
  description: "This browser tells you who named you, what was assigned to you, and who answered, also while Parley is closed. What is sent is encrypted for this browser.",
  onThisDevice: "Notify me on this device",
  off: "This server sends none.",
  unsupported: "This browser does not support them.",
  insecure: "They need HTTPS. Ask whoever runs this server.",
  install: "On an iPhone or iPad, add Parley to the home screen first (Share, then Add to Home Screen), and open it from there.",
  denied: "Your browser blocks them. Allow notifications for this page in its settings, then reload.",
  notAllowed: "You have not allowed notifications.",
  turnedOn: "This device notifies you",
  devices: "Your devices",
  none: "No device notifies you.",
  thisOne: "This one",
  added: (time: string) => `Added ${time}`,
  usedAt: (added: string, used: string) => `Added ${added} · Last notified ${used}`,
  testOf: (name: string) => `Test ${name}`,
  removeOf: (name: string) => `Remove ${name}`,
  removed: "Device removed",
  outcomes: {
    accepted: "Sent. The device shows it in a moment.",
    later: "The push service of this browser does not answer. Parley tries again with the next notice.",
    refused: "The push service of this browser refused it. Turn notifications off and on again.",
    gone: "This device gets none any more. Turn them on again.",
  },
};
