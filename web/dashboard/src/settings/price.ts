// Prices, which the API writes in millionths of a currency.

/** An amount for a form: 2500000 is "2.5". */
export function amountOf(millionths: number): string {
  return String(millionths / 1_000_000);
}

/** The millionths of an amount that was typed, with a point or a comma; null for anything else. */
export function millionthsOf(text: string): number | null {
  const typed = text.trim().replace(",", ".");
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(typed)) return null;
  return Math.round(Number(typed) * 1_000_000);
}
