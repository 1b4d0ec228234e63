const HOUR_SECONDS = 60 * 60;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const YEAR_SECONDS = 366 * DAY_SECONDS;

/** Nine petabytes: more than any disk holds. */
const MOST_BYTES = 9_000_000_000_000_000;
/** As good as no limit, for tests of speed. */
const MOST_EVENTS = 1_000_000_000;

/** Where the unit allows more than makes sense. */
const LARGEST: Readonly<Record<string, number>> = {
  pairingCodeTtlSeconds: DAY_SECONDS,
  uploadIdleSeconds: DAY_SECONDS,
  clockProofSeconds: DAY_SECONDS,
};

/** The largest value that a setting of `RELAY_DEFAULTS` takes, by its name, which ends with its unit (rule K12). */
export function largestOf(name: string): number {
  const ofUnit = name.endsWith("Seconds")
    ? YEAR_SECONDS
    : /bytes/i.test(name)
      ? MOST_BYTES
      : MOST_EVENTS;
  return LARGEST[name] ?? ofUnit;
}
