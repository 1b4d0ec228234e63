// Limits of the package format and of one package, as the public API states them (rules M1, M3, M4, M6).

/** Sounds of one package. */
export const MAX_SOUNDS = 32;
/** Bytes of one file, and of all files of a package together: 200 MB. */
export const MAX_PACKAGE_BYTES = 209_715_200;
/** Bytes of a manifest or any other JSON body: 1 MiB. */
export const MAX_JSON_BYTES = 1_048_576;
/** Code points. */
export const MAX_TITLE_LENGTH = 60;
/** Code points, for a sound's name and each text of `source`. */
export const MAX_NAME_LENGTH = 40;
/** Characters of `file`. */
export const MAX_FILE_NAME_LENGTH = 100;
/** Characters of a sound's `id` and of `package_id`. */
export const MAX_ID_LENGTH = 100;
export const MIN_BPM = 20;
export const MAX_BPM = 999;
export const MAX_LENGTH_BEATS = 4096;
export const MIN_GAIN_DB = -70;
export const MAX_GAIN_DB = 24;
/** Warnings of one package; the last says how many more there were. */
export const MAX_WARNINGS = 100;
/** UTF-16 units of a warning's message. */
export const MAX_WARNING_UNITS = 200;
