// Texts that both the dashboard and the chat show. English is the first
// catalogue; another language is an object of the same type.

export const texts = {
  size: { bytes: (count: number) => `${count} B`, kilobytes: (count: number) => `${count} kB`, megabytes: (count: string) => `${count} MB` },
};
