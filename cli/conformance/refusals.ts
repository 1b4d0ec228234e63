/** A refusal that the contract promises. */
interface PromisedRefusal {
  readonly status: number;
  /** True if the public specification shows this status; it leaves the others open. */
  readonly isPublic: boolean;
}

const shown = (status: number): PromisedRefusal => ({ status, isPublic: true });
const open = (status: number): PromisedRefusal => ({ status, isPublic: false });

/**
 * The refusals that the checks expect, by their codes. Written here from the contract and not imported from a relay, so
 * that a relay whose table is wrong fails.
 */
export const REFUSALS = {
  REQUEST_MALFORMED: open(400),
  NOT_JSON: open(400),
  JSON_IN_FORM: open(400),
  JSON_ENCODED: open(400),
  JSON_TOO_COMPLEX: open(422),
  PATH_UNKNOWN: open(404),
  METHOD_WRONG: open(405),
  BODY_TOO_LARGE: open(413),

  CLAIM_INCOMPLETE: open(400),
  APP_ID_TOO_LONG: open(400),
  TOKEN_MISSING: open(401),
  TOKEN_UNKNOWN: shown(401),
  IMPORTER_UNKNOWN: shown(401),
  CODE_UNKNOWN: shown(404),
  PAIRING_UNKNOWN: open(404),
  DEVICE_NAME_WRONG: open(422),
  IMPORTER_TOO_OLD: open(426),
  PAIRING_ANSWER_WRONG: open(422),
  PAIRING_REQUEST_OVER: open(404),

  SCHEMA_NEWER: shown(422),
  SCHEMA_UNKNOWN: shown(422),
  MANIFEST_NOT_OBJECT: shown(422),
  ITEMS_MISSING: shown(422),
  ITEMS_TOO_MANY: shown(422),
  ITEM_NOT_OBJECT: shown(422),
  FILE_NAME_MISSING: shown(422),
  FILE_NAME_WRONG: shown(422),
  BYTES_WRONG: shown(422),
  SHA256_WRONG: shown(422),
  FILE_TWICE: shown(422),
  TOTAL_TOO_LARGE: shown(422),
  IDEMPOTENCY_KEY_WRONG: open(422),
  IDEMPOTENCY_KEY_REUSED: open(422),

  PACKAGE_UNKNOWN: open(404),
  FILE_UNKNOWN: open(404),
  UPLOAD_STALLED: open(408),
  SIZE_DIFFERS: open(422),
  CHECKSUM_DIFFERS: open(422),
  FILE_IN_FORM: open(422),
  FILE_ENCODED: open(422),
  UPLOAD_OFFSET_DIFFERS: open(409),
  UPLOAD_REPLACED: open(409),
  UPLOAD_VERSION_UNKNOWN: open(400),
  UPLOAD_HEADERS_WRONG: open(400),
  UPLOAD_TYPE_WRONG: open(415),
  WAV_NOT_RIFF: open(422),
  WAV_TAG_IN_FRONT: open(422),
  WAV_RF64: open(422),
  WAV_RIFX: open(422),
  WAV_NO_FORMAT: open(422),
  WAV_FORMAT_BROKEN: open(422),
  WAV_FORMAT_AFTER_DATA: open(422),
  WAV_COMPRESSED: open(422),
  WAV_FLOAT_UNSUPPORTED: open(422),
  WAV_BITS_UNSUPPORTED: open(422),
  WAV_CHANNELS_UNSUPPORTED: open(422),
  WAV_RATE_UNSUPPORTED: open(422),
  WAV_BLOCK_ALIGN_WRONG: open(422),
  WAV_NO_DATA: open(422),
  WAV_STREAMED: open(422),
  WAV_LENGTH_WRONG: open(422),
  WAV_CUT_SHORT: open(422),

  FILES_MISSING: shown(409),
  NOT_UPLOADING: open(409),
  PACKAGE_EXPIRED: open(409),
  PACKAGE_TAKEN: open(409),
  PACKAGE_IMPORTED: open(409),
  PACKAGE_NOT_COMMITTED: open(409),
  RUN_ELSEWHERE: open(409),
  RUN_ID_WRONG: open(422),
  RANGE_WRONG: open(416),
  RESULTS_WRONG: open(422),
  SOUND_UNKNOWN: open(422),

  CALLS_TOO_MANY: shown(429),
  PACKAGES_TOO_MANY: shown(429),
  TRIES_TOO_MANY: shown(429),
  UPLOADS_TOO_MANY: shown(429),
  MANY_WAIT: shown(507),
  DEVICE_FULL: shown(507),
  UPLOADS_UNFINISHED: shown(507),
  STATUS_WRONG: open(422),
  CURSOR_WRONG: open(422),
} as const satisfies Readonly<Record<string, PromisedRefusal>>;

export type RefusalCode = keyof typeof REFUSALS;
