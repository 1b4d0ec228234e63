import { MAX_FILE_NAME_LENGTH } from "../limits.ts";

/** Pattern of a sound's `file`; its length is limited separately (rule M3). */
export const FILE_NAME_PATTERN = "^(?!.*\\.\\.)[A-Za-z0-9][A-Za-z0-9 ._-]*\\.[Ww][Aa][Vv]$";

const FILE_NAME = new RegExp(FILE_NAME_PATTERN);

/** Whether a name is valid for a sound's `file`. */
export function isSoundFileName(name: string): boolean {
  return name.length <= MAX_FILE_NAME_LENGTH && FILE_NAME.test(name);
}
