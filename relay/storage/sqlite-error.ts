/** The SQLite result codes that the stores tell apart (https://sqlite.org/rescode.html). */
const SQLITE_ERRORS = { busy: 5, full: 13, notADatabase: 26 } as const;

/** Whether SQLite failed for this reason. Extended codes have the kind of error in their low byte. */
export function isSqliteError(error: unknown, kind: keyof typeof SQLITE_ERRORS): boolean {
  if (!(error instanceof Error) || !("errcode" in error)) return false;
  return (Number(error.errcode) & 0xff) === SQLITE_ERRORS[kind];
}
