/** Node's words for EDEADLK, by which macOS refuses to read a file that is only in the cloud. */
const EVICTED = /^Unknown system error -(11|35)$/;

/** Returns the system's code of a failed call, such as `ENOENT`; empty for other errors. */
export function diskCodeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return EVICTED.test(code) ? "EDEADLK" : code;
}

/** Says why a file can't be read; the sentence begins with its name (rule F8). */
export function formatUnreadable(error: unknown, name: string): string {
  const code = diskCodeOf(error);
  if (code === "EDEADLK") return formatInCloud(name);
  const isSlow = ["ETIMEDOUT", "ECANCELED", "UNKNOWN"].includes(code);
  const advice = " It may be only in the cloud: download it, then try again.";
  return `${name} can't be read.${isSlow ? advice : ""}`;
}

/** Says that a file is only in iCloud (rule B8). */
export function formatInCloud(name: string): string {
  return `${name} is still in iCloud: download it in the Finder, then try again.`;
}
