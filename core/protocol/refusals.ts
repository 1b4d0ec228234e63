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
import { IS_LFS_POINTER } from "../text/parse-json.ts";

const row = <const Status extends number, const Sentence extends string>(
  status: Status,
  sentence: Sentence,
) => ({ status, sentence });

/**
 * Every refusal of the relay: its stable code, which clients switch on, HTTP status and sentence with
 * `{placeholders}` (rule E3). A test compares `docs/use/errors.md` with this table.
 */
export const REFUSALS = {
  // the request itself
  REQUEST_MALFORMED: row(400, "That request could not be read."),
  NOT_JSON: row(400, "The body is not valid JSON."),
  JSON_IN_FORM: row(400, "This is a form: send the JSON itself as the body."),
  JSON_ENCODED: row(400, "Received as {encoding}. Send the JSON as plain UTF-8 text."),
  PATH_UNKNOWN: row(404, "There is nothing at this address."),
  METHOD_WRONG: row(405, "This address doesn't support {method}."),
  REQUEST_TOO_SLOW: row(408, "The request took too long to arrive. Try again."),
  BODY_TOO_LARGE: row(413, "The body is too large. The limit is {max}."),
  HEADERS_TOO_LARGE: row(431, "The request's headers are too large."),

  // pairing and tokens
  CLAIM_INCOMPLETE: row(400, "code, app_name and app_id are required, each as a string."),
  APP_ID_TOO_LONG: row(400, `app_id may have at most ${MAX_APP_ID_LENGTH} characters.`),
  TOKEN_MISSING: row(401, "The header Authorization is missing. Send Bearer and the token in it."),
  TOKEN_UNKNOWN: row(401, "No longer paired. Enter a new pairing code."),
  IMPORTER_UNKNOWN: row(401, "This relay doesn't know this importer."),
  REGISTRATION_KEY_WRONG: row(403, "This relay requires a registration key. Ask its operator."),
  REGISTRATION_KEY_ENDED: row(
    403,
    "This registration key has ended. Ask the operator for another.",
  ),
  REGISTRATION_KEY_USED_UP: row(
    403,
    "This registration key is used up. Ask the operator for another.",
  ),
  REGISTRATION_KEY_REMOVED: row(
    403,
    "This registration key was removed. Ask the operator for another.",
  ),
  CODE_UNKNOWN: row(404, "This code is wrong, used or expired. Ask Live for a new one."),
  PAIRING_UNKNOWN: row(404, "This app isn't paired with this computer."),
  DEVICE_NAME_WRONG: row(422, "device_name must be a string."),
  IMPORTER_TOO_OLD: row(426, "This version is too old for the relay. Update Soundferry in Live."),

  // the manifest
  SCHEMA_NEWER: row(422, "Format {schema} isn't supported yet. Update Soundferry in Live."),
  SCHEMA_UNKNOWN: row(422, "schema must be app2host/1."),
  MANIFEST_NOT_OBJECT: row(422, "The manifest must be a JSON object."),
  ITEMS_MISSING: row(422, `items must be a list of 1 to ${MAX_SOUNDS} sounds.`),
  ITEMS_TOO_MANY: row(
    422,
    `A package can have at most ${MAX_SOUNDS} sounds; this one has {count}.`,
  ),
  ITEM_NOT_OBJECT: row(422, "Sound {position} must be a JSON object."),
  FILE_NAME_MISSING: row(422, "{sound}: file is missing."),
  FILE_NAME_WRONG: row(422, "{sound}: file must be a plain name that ends in .wav."),
  BYTES_WRONG: row(422, `{sound}: bytes must be 1 to ${MAX_PACKAGE_BYTES}.`),
  SHA256_WRONG: row(422, "{sound}: sha256 must be 64 hex characters."),
  FILE_TWICE: row(422, "{sound}: another sound already uses {file}."),
  TOTAL_TOO_LARGE: row(422, `{sound}: this sound takes the package over ${PACKAGE_SIZE}.`),
  IDEMPOTENCY_KEY_WRONG: row(
    422,
    `Idempotency-Key must have 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} characters.`,
  ),
  IDEMPOTENCY_KEY_REUSED: row(422, "This Idempotency-Key was used for another package."),

  // the last of its problems, if it has too many
  MORE_PROBLEMS: row(422, "There are {count} more problems."),

  // uploads
  PACKAGE_UNKNOWN: row(404, "There is no such package."),
  FILE_UNKNOWN: row(404, "The package has no file {file}."),
  SOUND_LOST: row(404, "{file}: the relay has lost this file. Send it again."),
  UPLOAD_STALLED: row(408, "{file}: the upload was interrupted. Send it again."),
  SIZE_DIFFERS: row(422, "{file}: received {got} bytes, expected {announced}."),
  CHECKSUM_DIFFERS: row(422, "{file}: checksum doesn't match the announced one."),
  FILE_IN_FORM: row(422, "This is a form upload: send the file's bytes as they are."),
  FILE_ENCODED: row(422, "{file}: received as {encoding}. Send the file's bytes as they are."),
  UPLOAD_OFFSET_DIFFERS: row(409, "{file}: continue at byte {offset}."),
  UPLOAD_REPLACED: row(409, "{file}: a newer upload replaced this one."),
  UPLOAD_VERSION_UNKNOWN: row(
    400,
    "This version of resumable uploads is unknown. Send the whole file with PUT.",
  ),
  UPLOAD_HEADERS_WRONG: row(400, "Upload-Offset must be a whole number, Upload-Complete ?0 or ?1."),
  UPLOAD_TYPE_WRONG: row(415, "Content-Type must be application/partial-upload."),
  UPLOADS_TOO_MANY: row(429, "{max} uploads are already running. Wait until one finishes."),

  // the WAV header (rule U4)
  WAV_NOT_RIFF: row(422, "{file}: not a WAV file. Export it as WAV."),
  WAV_LFS_POINTER: row(422, `{file} ${IS_LFS_POINTER}`),
  WAV_TAG_IN_FRONT: row(422, "{file}: it begins with an ID3 tag. Export it without tags."),
  WAV_RF64: row(422, "{file}: {container} isn't supported. Save it as plain WAV."),
  WAV_RIFX: row(422, "{file}: big-endian WAV. Save it as plain WAV."),
  WAV_NO_FORMAT: row(422, "{file}: no format chunk. Export it again."),
  WAV_FORMAT_BROKEN: row(422, "{file}: broken format chunk. Export it again."),
  WAV_FORMAT_AFTER_DATA: row(422, "{file}: its format comes after its audio. Export it again."),
  WAV_COMPRESSED: row(422, "{file}: its codec is {codec}. Export it as PCM WAV."),
  WAV_FLOAT_UNSUPPORTED: row(422, "{file}: {bits}-bit float. Export it as 32-bit float."),
  WAV_BITS_UNSUPPORTED: row(422, "{file}: {bits}-bit. Export it with 16, 24 or 32 bits."),
  WAV_CHANNELS_UNSUPPORTED: row(422, "{file}: {channels} channels. Export it as mono or stereo."),
  WAV_RATE_UNSUPPORTED: row(
    422,
    `{file}: sample rate {rate} Hz. Export it at 44.1 to ${MAX_SAMPLE_RATE_HZ / 1000} kHz.`,
  ),
  WAV_BLOCK_ALIGN_WRONG: row(422, "{file}: its block align is {got}, not {expected}. Re-save it."),
  WAV_NO_DATA: row(422, "{file}: contains no audio. Export it again."),
  WAV_STREAMED: row(422, "{file}: its header has no length: it was streamed. Re-save it."),
  WAV_LENGTH_WRONG: row(422, "{file}: its header has a wrong length. Re-save it."),
  WAV_CUT_SHORT: row(422, "{file}: the file is incomplete. Export it again."),

  // states
  FILES_MISSING: row(409, "Missing: {files}"),
  NOT_UPLOADING: row(409, "This package is complete and accepts no more files."),
  PACKAGE_EXPIRED: row(409, "This package has expired. Send it again."),
  PACKAGE_TAKEN: row(409, "Live is importing this package right now."),
  PACKAGE_IMPORTED: row(409, "This package is already in Live."),
  PACKAGE_NOT_COMMITTED: row(409, "This package is still being sent."),
  RUN_ELSEWHERE: row(409, "Another import is running. Try again in {seconds} s."),
  RANGE_WRONG: row(416, "The file has {size} bytes; that range is outside it."),
  RESULTS_WRONG: row(422, "results must give each sound an object with a status."),
  SOUND_UNKNOWN: row(422, "The package has no sound {id}."),
  RUN_ID_WRONG: row(422, `run_id must be a string of 1 to ${MAX_ID_LENGTH} characters.`),

  // limits and room
  CALLS_TOO_MANY: row(429, "Too many calls. Try again in {seconds} s."),
  PACKAGES_TOO_MANY: row(429, "The limit is {max} packages an hour. Try again later."),
  TRIES_TOO_MANY: row(429, "Too many tries. Try again in {seconds} s."),
  ADDRESS_BYTES_TOO_MANY: row(429, "This address has sent too much today. Try again later."),
  MANY_WAIT: row(507, "{app} has many packages waiting. Import or dismiss them first."),
  DEVICE_FULL: row(507, "{app} fills this computer's room. Import or dismiss its packages."),
  DISK_FULL: row(507, "The relay's disk is full. Try again later."),

  // the relay itself

  // a relay that is open to strangers
  TOO_MUCH_AT_ONCE: row(429, "Too much at once. Try again in {seconds} s."),
  REFUSED_TOO_MUCH: row(429, "Too much was refused. Try again in {seconds} s."),
  REGISTRATIONS_TOO_MANY: row(429, "Many computers were registered today. Try again in {wait}."),
  NETWORK_REGISTRATIONS_TOO_MANY: row(
    429,
    "Your network registered many computers today. Try again in {wait}.",
  ),
  UPLOADS_UNFINISHED: row(507, "Unfinished uploads hold the room. Try again in {minutes} min."),
  BUSY: row(503, "The relay is busy. Try again in {seconds} s."),
  STOPPING: row(503, "The relay is restarting. Try again in {seconds} s."),
  REGISTRATIONS_OFF: row(503, "The relay registers no computers for now. Try again later."),
  ANNOUNCEMENTS_OFF: row(503, "The relay accepts no packages for now. Try again later."),
  CLAIMS_OFF: row(503, "The relay pairs no apps for now. Try again later."),
  HOST_UNKNOWN: row(
    421,
    "The relay has no such name. Its operator can set SOUNDFERRY_ALLOWED_HOSTS.",
  ),
  ADDRESS_BLOCKED: row(403, "The relay's operator has blocked this address."),
  DEVICE_BLOCKED: row(403, "The relay's operator has blocked this computer."),
  JSON_TOO_COMPLEX: row(422, "The body nests too deeply or has too many values."),
  SOUND_DENIED: row(422, "{sound}: the relay's operator doesn't accept this sound."),
  STATUS_WRONG: row(422, `status must be some of ${PACKAGE_STATUSES.join(", ")}.`),
  CURSOR_WRONG: row(422, "after must be what the page before it named."),
  PAIRING_ANSWER_WRONG: row(422, "answer must be allow or deny."),
  PAIRING_REQUEST_OVER: row(404, "This request is over."),

  INTERNAL: row(500, "Something went wrong at the relay. Try again."),
  NOT_READY: row(503, "The relay can't reach its storage. Try again in a moment."),
} as const satisfies Record<string, { status: number; sentence: string }>;

/** The sentences of refusals where the packages are the caller's own. */
export const OWN_REFUSALS = {
  MANY_WAIT: "Many of your packages wait. Import or dismiss them first.",
  DEVICE_FULL: "Your packages fill this computer's room. Import or dismiss them first.",
} as const satisfies { readonly [Code in RefusalCode]?: string };

/** The stable name of a refusal, `code` in an error's body. */
export type RefusalCode = keyof typeof REFUSALS;
