import { MAX_JSON_BYTES, MAX_PACKAGE_BYTES } from "../limits.ts";

/** `MAX_PACKAGE_BYTES` for people: `200 MB`. The API's MB has 1,048,576 bytes. */
export const PACKAGE_SIZE = `${MAX_PACKAGE_BYTES / 1024 ** 2} MB`;
/** `MAX_JSON_BYTES` for people: `1 MiB`. */
export const JSON_SIZE = `${MAX_JSON_BYTES / 1024 ** 2} MiB`;

const UNITS = [
  { seconds: 24 * 3600, name: "day" },
  { seconds: 3600, name: "hour" },
  { seconds: 60, name: "minute" },
] as const;

/** A span that is a limit, in full: `7 days`, `24 hours`, `1 hour`, `10 minutes`, `90 seconds`. */
export function formatLimitSpan(seconds: number): string {
  // One day is 24 hours, one minute 60 seconds: the limits of the API are said so.
  const unit = UNITS.find(
    (larger) =>
      seconds % larger.seconds === 0 && (seconds > larger.seconds || larger.name === "hour"),
  ) ?? { seconds: 1, name: "second" };
  const count = seconds / unit.seconds;
  return `${count} ${unit.name}${count === 1 ? "" : "s"}`;
}
