import {
  MAX_APP_ID_LENGTH,
  MAX_ID_LENGTH,
  MAX_IDEMPOTENCY_KEY_LENGTH,
  MAX_PACKAGE_BYTES,
  MAX_SAMPLE_RATE_HZ,
  MAX_SOUNDS,
} from "../limits.ts";
import { PACKAGE_STATUSES } from "./package-status.ts";
import { PACKAGE_SIZE } from "../text/format-limit.ts";

/**
 * Every refusal of the relay: its stable code, which clients switch on, HTTP status and sentence with
 * `{placeholders}` (rule E3). A test compares `docs/use/errors.md` with this table.
 */
export const REFUSALS = {
  // the request itself
  REQUEST_MALFORMED: { status: 400, sentence: "That request could not be read." },
  NOT_JSON: { status: 400, sentence: "The body is not valid JSON." },
  PATH_UNKNOWN: { status: 404, sentence: "There is nothing at this address." },
  METHOD_WRONG: { status: 405, sentence: "This address doesn't support {method}." },
  REQUEST_TOO_SLOW: { status: 408, sentence: "The request took too long to arrive. Try again." },
  BODY_TOO_LARGE: { status: 413, sentence: "The body is too large. The limit is {max}." },
  HEADERS_TOO_LARGE: { status: 431, sentence: "The request's headers are too large." },

  // pairing and tokens
  CLAIM_INCOMPLETE: {
    status: 400,
    sentence: "code, app_name and app_id are required, each as a string.",
  },
  APP_ID_TOO_LONG: {
    status: 400,
    sentence: `app_id may have at most ${MAX_APP_ID_LENGTH} characters.`,
  },
  TOKEN_MISSING: {
    status: 401,
    sentence: "The header Authorization is missing. Send Bearer and the token in it.",
  },
  TOKEN_UNKNOWN: { status: 401, sentence: "No longer paired. Enter a new pairing code." },
  IMPORTER_UNKNOWN: { status: 401, sentence: "This relay doesn't know this importer." },
  REGISTRATION_KEY_WRONG: {
    status: 403,
    sentence: "This relay requires a registration key. Ask its operator.",
  },
  CODE_UNKNOWN: {
    status: 404,
    sentence: "This code is wrong, used or expired. Ask Live for a new one.",
  },
  PAIRING_UNKNOWN: { status: 404, sentence: "This app isn't paired with this computer." },
  DEVICE_NAME_WRONG: { status: 422, sentence: "device_name must be a string." },
  IMPORTER_TOO_OLD: {
    status: 426,
    sentence: "This version is too old for the relay. Update Soundferry in Live.",
  },

  // the manifest
  SCHEMA_NEWER: {
    status: 422,
    sentence: "Format {schema} isn't supported yet. Update Soundferry in Live.",
  },
  SCHEMA_UNKNOWN: { status: 422, sentence: "schema must be app2host/1." },
  MANIFEST_NOT_OBJECT: { status: 422, sentence: "The manifest must be a JSON object." },
  ITEMS_MISSING: { status: 422, sentence: `items must be a list of 1 to ${MAX_SOUNDS} sounds.` },
  ITEMS_TOO_MANY: {
    status: 422,
    sentence: `A package can have at most ${MAX_SOUNDS} sounds; this one has {count}.`,
  },
  ITEM_NOT_OBJECT: { status: 422, sentence: "Sound {position} must be a JSON object." },
  FILE_NAME_MISSING: { status: 422, sentence: "{sound}: file is missing." },
  FILE_NAME_WRONG: {
    status: 422,
    sentence: "{sound}: file must be a plain name that ends in .wav.",
  },
  BYTES_WRONG: { status: 422, sentence: `{sound}: bytes must be 1 to ${MAX_PACKAGE_BYTES}.` },
  SHA256_WRONG: { status: 422, sentence: "{sound}: sha256 must be 64 hex characters." },
  FILE_TWICE: { status: 422, sentence: "{sound}: another sound already uses {file}." },
  TOTAL_TOO_LARGE: {
    status: 422,
    sentence: `{sound}: this sound takes the package over ${PACKAGE_SIZE}.`,
  },
  IDEMPOTENCY_KEY_WRONG: {
    status: 422,
    sentence: `Idempotency-Key must have 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} characters.`,
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    sentence: "This Idempotency-Key was used for another package.",
  },

  // the last of its problems, if it has too many
  MORE_PROBLEMS: { status: 422, sentence: "There are {count} more problems." },

  // uploads
  PACKAGE_UNKNOWN: { status: 404, sentence: "There is no such package." },
  FILE_UNKNOWN: { status: 404, sentence: "The package has no file {file}." },
  SOUND_LOST: { status: 404, sentence: "{file}: the relay has lost this file. Send it again." },
  UPLOAD_STALLED: { status: 408, sentence: "{file}: the upload was interrupted. Send it again." },
  SIZE_DIFFERS: { status: 422, sentence: "{file}: received {got} bytes, expected {announced}." },
  CHECKSUM_DIFFERS: { status: 422, sentence: "{file}: checksum doesn't match the announced one." },
  UPLOAD_OFFSET_DIFFERS: { status: 409, sentence: "{file}: continue at byte {offset}." },
  UPLOAD_REPLACED: { status: 409, sentence: "{file}: a newer upload replaced this one." },
  UPLOAD_VERSION_UNKNOWN: {
    status: 400,
    sentence: "This version of resumable uploads is unknown. Send the whole file with PUT.",
  },
  UPLOAD_HEADERS_WRONG: {
    status: 400,
    sentence: "Upload-Offset must be a whole number, Upload-Complete ?0 or ?1.",
  },
  UPLOAD_TYPE_WRONG: {
    status: 415,
    sentence: "Content-Type must be application/partial-upload.",
  },
  UPLOADS_TOO_MANY: {
    status: 429,
    sentence: "{max} uploads are already running. Wait until one finishes.",
  },

  // the WAV header (rule U4)
  WAV_NOT_RIFF: { status: 422, sentence: "{file}: not a WAV file. Export it as WAV." },
  WAV_RF64: { status: 422, sentence: "{file}: {container} isn't supported. Save it as plain WAV." },
  WAV_RIFX: { status: 422, sentence: "{file}: big-endian WAV. Save it as plain WAV." },
  WAV_NO_FORMAT: { status: 422, sentence: "{file}: no format chunk. Export it again." },
  WAV_FORMAT_BROKEN: { status: 422, sentence: "{file}: broken format chunk. Export it again." },
  WAV_FORMAT_AFTER_DATA: {
    status: 422,
    sentence: "{file}: its format comes after its audio. Export it again.",
  },
  WAV_COMPRESSED: {
    status: 422,
    sentence: "{file}: its codec is {codec}. Export it as PCM WAV.",
  },
  WAV_FLOAT_UNSUPPORTED: {
    status: 422,
    sentence: "{file}: {bits}-bit float. Export it as 32-bit float.",
  },
  WAV_BITS_UNSUPPORTED: {
    status: 422,
    sentence: "{file}: {bits}-bit. Export it with 16, 24 or 32 bits.",
  },
  WAV_CHANNELS_UNSUPPORTED: {
    status: 422,
    sentence: "{file}: {channels} channels. Export it as mono or stereo.",
  },
  WAV_RATE_UNSUPPORTED: {
    status: 422,
    sentence: `{file}: sample rate {rate} Hz. Export it at 44.1 to ${MAX_SAMPLE_RATE_HZ / 1000} kHz.`,
  },
  WAV_BLOCK_ALIGN_WRONG: {
    status: 422,
    sentence: "{file}: frame size and format disagree. Export it again.",
  },
  WAV_NO_DATA: { status: 422, sentence: "{file}: contains no audio. Export it again." },
  WAV_STREAMED: { status: 422, sentence: "{file}: its header has no length. Export it again." },
  WAV_CUT_SHORT: { status: 422, sentence: "{file}: the file is incomplete. Export it again." },

  // states
  FILES_MISSING: { status: 409, sentence: "Missing: {files}" },
  NOT_UPLOADING: { status: 409, sentence: "This package is complete and accepts no more files." },
  PACKAGE_EXPIRED: { status: 409, sentence: "This package has expired. Send it again." },
  PACKAGE_TAKEN: { status: 409, sentence: "Live is importing this package right now." },
  PACKAGE_IMPORTED: { status: 409, sentence: "This package is already in Live." },
  PACKAGE_NOT_COMMITTED: { status: 409, sentence: "This package is still being sent." },
  RUN_ELSEWHERE: { status: 409, sentence: "Another import is running. Try again in {seconds} s." },
  RANGE_WRONG: { status: 416, sentence: "The file has {size} bytes; that range is outside it." },
  RESULTS_WRONG: { status: 422, sentence: "results must give each sound an object with a status." },
  SOUND_UNKNOWN: { status: 422, sentence: "The package has no sound {id}." },
  RUN_ID_WRONG: {
    status: 422,
    sentence: `run_id must be a string of 1 to ${MAX_ID_LENGTH} characters.`,
  },

  // limits and room
  CALLS_TOO_MANY: { status: 429, sentence: "Too many calls. Try again in {seconds} s." },
  PACKAGES_TOO_MANY: {
    status: 429,
    sentence: "The limit is {max} packages an hour. Try again later.",
  },
  TRIES_TOO_MANY: { status: 429, sentence: "Too many tries. Try again in {seconds} s." },
  ADDRESS_BYTES_TOO_MANY: {
    status: 429,
    sentence: "This address has sent too much today. Try again later.",
  },
  MANY_WAIT: { status: 507, sentence: "Many packages wait. Click Import first." },
  DEVICE_FULL: { status: 507, sentence: "No room left for this computer. Click Import first." },
  DISK_FULL: { status: 507, sentence: "The relay's disk is full. Try again later." },

  // the relay itself

  // a relay that is open to strangers
  TOO_MUCH_AT_ONCE: { status: 429, sentence: "Too much at once. Try again in {seconds} s." },
  REFUSED_TOO_MUCH: { status: 429, sentence: "Too much was refused. Try again in {seconds} s." },
  REGISTRATIONS_TOO_MANY: {
    status: 429,
    sentence: "Too many computers were registered from here today. Try again later.",
  },
  UPLOADS_UNFINISHED: {
    status: 507,
    sentence: "Unfinished uploads hold the room. Try again in {minutes} min.",
  },
  BUSY: { status: 503, sentence: "The relay is busy. Try again in {seconds} s." },
  STOPPING: { status: 503, sentence: "The relay is restarting. Try again in {seconds} s." },
  REGISTRATIONS_OFF: {
    status: 503,
    sentence: "The relay registers no computers for now. Try again later.",
  },
  ANNOUNCEMENTS_OFF: {
    status: 503,
    sentence: "The relay accepts no packages for now. Try again later.",
  },
  CLAIMS_OFF: { status: 503, sentence: "The relay pairs no apps for now. Try again later." },
  HOST_UNKNOWN: {
    status: 421,
    sentence: "The relay has no such name. Its operator can set SOUNDFERRY_ALLOWED_HOSTS.",
  },
  ADDRESS_BLOCKED: { status: 403, sentence: "The relay's operator has blocked this address." },
  DEVICE_BLOCKED: { status: 403, sentence: "The relay's operator has blocked this computer." },
  JSON_TOO_COMPLEX: { status: 422, sentence: "The body nests too deeply or has too many values." },
  SOUND_DENIED: {
    status: 422,
    sentence: "{sound}: the relay's operator doesn't accept this sound.",
  },
  STATUS_WRONG: { status: 422, sentence: `status must be some of ${PACKAGE_STATUSES.join(", ")}.` },
  CURSOR_WRONG: { status: 422, sentence: "after must be what the page before it named." },
  PAIRING_ANSWER_WRONG: { status: 422, sentence: "answer must be allow or deny." },
  PAIRING_REQUEST_OVER: { status: 404, sentence: "This request is over." },

  INTERNAL: { status: 500, sentence: "Something went wrong at the relay. Try again." },
  NOT_READY: { status: 503, sentence: "The relay can't reach its storage. Try again in a moment." },
} as const satisfies Record<string, { status: number; sentence: string }>;

/** The stable name of a refusal, `code` in an error's body. */
export type RefusalCode = keyof typeof REFUSALS;
