/** Formats a headline and the facts below it, one per line. */
export function formatFacts(
  headline: string,
  facts: readonly (readonly [name: string, value: string])[],
): string {
  const width = Math.max(...facts.map(([name]) => name.length));
  return [headline, "", ...facts.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)].join(
    "\n",
  );
}
