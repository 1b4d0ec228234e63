import { join } from "node:path";

const MONTH_S = String(30 * 86_400);

/** Limits that apps which never rest don't reach. */
export const ROOMY_LIMITS = {
  SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "1000000",
  SOUNDFERRY_REGISTRATIONS_PER_DAY: "1000000",
  SOUNDFERRY_PACKAGES_PER_HOUR: "1000000",
  SOUNDFERRY_WAITING_PACKAGES_PER_DEVICE: "1000000",
  SOUNDFERRY_UPLOADS_PER_PAIRING: "100",
  SOUNDFERRY_UPLOADS_PER_DEVICE: "100",
  SOUNDFERRY_CALLS_PER_MINUTE: "1000000",
  SOUNDFERRY_BYTES_PER_DEVICE: "1000000000000",
  SOUNDFERRY_BYTES_PER_ADDRESS_PER_DAY: String(1e15),
};

/** Settings for long runs, and for a ledger that is resumed on another day: nothing that was acknowledged expires. */
export const LONG_WINDOWS = {
  SOUNDFERRY_UPLOAD_WINDOW_S: MONTH_S,
  SOUNDFERRY_WAIT_WINDOW_S: MONTH_S,
  SOUNDFERRY_STATUS_WINDOW_S: MONTH_S,
  SOUNDFERRY_LEASE_S: MONTH_S,
};

/** Loaded before a relay (`node --import`): the machine's clock, off by the milliseconds in `SHIFTED_DATE_FILE`. */
export const SHIFTED_DATE = join(import.meta.dirname, "shifted-date.ts");
/** Loaded before a relay: it sweeps every second. */
export const HURRIED_SWEEPS = join(import.meta.dirname, "hurried-sweeps.ts");
