/** The system's code of a failed call, such as `ENOENT`; empty for other errors. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Whether a call failed because the disk, or the user's quota on it, is full. */
export function isDiskFull(error: unknown): boolean {
  return isFullCode(codeOf(error));
}

export function isFullCode(code: string): boolean {
  return code === "ENOSPC" || code === "EDQUOT";
}
