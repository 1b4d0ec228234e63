/** What `up --pretend` can make happen (rule K16). */
export const OUTCOMES = [
  "partial",
  "failed",
  "expired",
  "no-room",
  "slow",
  "rate-limited",
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** How long a package waits with `--pretend expired`. */
const WAIT_SECONDS = 10;
/** Calls that an app may make a minute with `--pretend rate-limited`. */
export const PRETENDED_CALLS = 6;
/** What an upload's sender can send in a second with `--pretend slow`. */
export const SLOW_BYTES_PER_SECOND = 65_536;
/** The pause before each step of an import with `--pretend slow`. */
export const SLOW_STEP_MS = 1000;

/** What happens, in a sentence for the terminal. */
export const OUTCOME_SENTENCES: Readonly<Record<Outcome, string>> = {
  partial: "The second sound of each package can't be imported. Send at least two.",
  failed: "No sound can be imported.",
  expired: `A package expires after ${WAIT_SECONDS} s. Nothing is imported.`,
  "no-room": "The relay has no room for sounds.",
  slow: `An upload gets ${SLOW_BYTES_PER_SECOND / 1024} KB a second, and each step of an import takes ${SLOW_STEP_MS / 1000} s.`,
  "rate-limited": `An app can make ${PRETENDED_CALLS} calls a minute.`,
};

/** The relay's settings that bring an outcome about, as in the environment. */
export const OUTCOME_SETTINGS: Readonly<
  Partial<Record<Outcome, Readonly<Record<string, string>>>>
> = {
  expired: { SOUNDFERRY_WAIT_WINDOW_S: String(WAIT_SECONDS) },
  "no-room": { SOUNDFERRY_BYTES_PER_DEVICE: "1" },
};
