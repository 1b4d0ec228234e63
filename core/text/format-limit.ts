import { MAX_JSON_BYTES, MAX_PACKAGE_BYTES, MAX_RESULTS_BYTES } from "../limits.ts";
import { countOf } from "./count-of.ts";

/** `MAX_PACKAGE_BYTES` for display: `200 MB`. The API's MB has 1,048,576 bytes. */
export const PACKAGE_SIZE = `${MAX_PACKAGE_BYTES / 1024 ** 2} MB`;
/** `MAX_JSON_BYTES` for display: `1 MiB`. */
export const JSON_SIZE = `${MAX_JSON_BYTES / 1024 ** 2} MiB`;
/** `MAX_RESULTS_BYTES` for display: `64 KiB`. */
export const RESULTS_SIZE = `${MAX_RESULTS_BYTES / 1024} KiB`;

const UNITS = [
  { seconds: 24 * 3600, name: "day" },
  { seconds: 3600, name: "hour" },
  { seconds: 60, name: "minute" },
] as const;

/** Formats a limit's time span in full words: `7 days`, `24 hours`, `1 hour`, `10 minutes`, `90 seconds`. */
export function formatLimitSpan(seconds: number): string {
  // The API says 24 hours and 60 seconds rather than 1 day and 1 minute.
  const unit = UNITS.find(
    (larger) =>
      seconds % larger.seconds === 0 && (seconds > larger.seconds || larger.name === "hour"),
  ) ?? { seconds: 1, name: "second" };
  return countOf(seconds / unit.seconds, unit.name);
}
