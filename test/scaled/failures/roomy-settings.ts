import { join } from "node:path";

const MONTH_S = String(30 * 86_400);

/** Limits that musicians who never rest don't reach, and windows that nothing acknowledged reaches the end of. */
export const ROOMY_SETTINGS = {
  SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "1000000",
  SOUNDFERRY_REGISTRATIONS_PER_DAY: "1000000",
  SOUNDFERRY_PACKAGES_PER_HOUR: "1000000",
  SOUNDFERRY_CALLS_PER_MINUTE: "1000000",
  SOUNDFERRY_BYTES_PER_ADDRESS_PER_DAY: String(1e15),
  SOUNDFERRY_UPLOAD_WINDOW_S: MONTH_S,
  SOUNDFERRY_WAIT_WINDOW_S: MONTH_S,
  SOUNDFERRY_STATUS_WINDOW_S: MONTH_S,
  SOUNDFERRY_LEASE_S: MONTH_S,
};

/** Loaded before a relay: it sweeps every second. */
export const HURRIED_SWEEPS = join(import.meta.dirname, "../../faults/hurried-sweeps.ts");
