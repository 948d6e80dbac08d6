/** Two overlapping speech bubbles. */
export function Logo({ size }: { size: number }) {
  return <img src="/assets/icon.svg" width={size} height={size} alt="" />;
}
