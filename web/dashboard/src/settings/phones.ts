// Phone numbers that somebody typed or pasted, one after the other.

/** Splits a text into phone numbers: one per line, or parted by commas or semicolons. */
export function phonesOf(text: string): string[] {
  const phones = text
    .split(/[\n,;]+/)
    .map((phone) => phone.trim())
    .filter((phone) => phone !== "");
  return [...new Map(phones.map((phone) => [phone.replace(/\D/g, ""), phone])).values()];
}

/** Returns the first of the texts that is no phone number with its country code; undefined if each is one. */
export function wrongPhone(phones: readonly string[]): string | undefined {
  return phones.find((phone) => !/^[-+(). /]*[1-9]([-+(). /]*[0-9]){6,14}[-+(). /]*$/.test(phone));
}
