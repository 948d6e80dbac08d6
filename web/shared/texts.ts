// What people read in both, dashboard and chat. English is the first catalogue;
// another one is an object of the same type.

export const texts = {
  size: { bytes: (count: number) => `${count} B`, kilobytes: (count: number) => `${count} kB`, megabytes: (count: string) => `${count} MB` },
};
