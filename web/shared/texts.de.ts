import type { texts as en } from "./texts";

export const texts = {
  size: { bytes: (count: number) => `${count} B`, kilobytes: (count: number) => `${count} kB`, megabytes: (count: string) => `${count} MB` },
} satisfies typeof en;
