// Phone numbers that somebody typed or pasted.

/** Splits a text into phone numbers, separated by line breaks, commas or semicolons. */
export function phonesOf(text: string): string[] {
  const phones = text
    .split(/[\n,;]+/)
    .map((phone) => phone.trim())
    .filter((phone) => phone !== "");
  return [...new Map(phones.map((phone) => [phone.replace(/\D/g, ""), phone])).values()];
}

/** Returns the first text that is not a phone number with its country code; undefined if all are. */
export function wrongPhone(phones: readonly string[]): string | undefined {
  return phones.find((phone) => !/^[-+(). /]*[1-9]([-+(). /]*[0-9]){6,14}[-+(). /]*$/.test(phone));
}
