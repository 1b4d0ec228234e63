/** The system's code of a failed call, such as `ENOENT`; empty for other errors. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Checks whether a call failed because the disk, or the user's quota on it, is full. */
export function isDiskFull(error: unknown): boolean {
  return isFullCode(codeOf(error));
}

export function isFullCode(code: string): boolean {
  return code === "ENOSPC" || code === "EDQUOT";
}

/** The SQLite result codes that the stores tell apart (https://sqlite.org/rescode.html). */
const SQLITE_ERRORS: Readonly<Record<SqliteTrouble, readonly number[]>> = {
  // SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: another connection's lock.
  busy: [5, 6, 15],
  readOnly: [8],
  io: [10],
  // SQLITE_FULL, and SQLITE_IOERR_SHMSIZE for the index of the log.
  full: [13, 4874],
  cantOpen: [14],
  notADatabase: [26],
  // SQLITE_CORRUPT, SQLITE_NOTADB, and of SQLITE_IOERR: READ, SHORT_READ, FSYNC, DATA and CORRUPTFS. After a
  // flush that failed, nobody knows what is on the disk.
  damaged: [11, 26, 266, 522, 1034, 8202, 8458],
};

type SqliteTrouble = "busy" | "readOnly" | "io" | "full" | "cantOpen" | "notADatabase" | "damaged";

/** Checks whether SQLite failed for this reason. Extended codes have the kind of error in their low byte. */
export function isSqliteError(error: unknown, kind: SqliteTrouble): boolean {
  if (!(error instanceof Error) || !("errcode" in error)) return false;
  const code = Number(error.errcode);
  return SQLITE_ERRORS[kind].some((each) => each === code || each === (code & 0xff));
}
