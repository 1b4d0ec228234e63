const KEY = /^[\w-]+\/[\w-]+$/;

/** Prefix of finished sounds: `sounds/<key>`. */
export const SOUNDS = "sounds/";
/** Prefix of the objects of sounds that are being written: `unfinished/<key>/…`. A lifecycle rule may expire them. */
export const UNFINISHED = "unfinished/";
/** Prefix of quarantined sounds: `quarantine/<key>/<relay time in ms>`. */
export const QUARANTINE = "quarantine/";
/** The object with the id of the instance that the bucket belongs to (rule Z1). */
export const INSTANCE_OBJECT = "soundferry-instance";

const UNFINISHED_NAME =
  /^unfinished\/(.+)\/(?:claim-(\d{6})-[\w-]+|segment-(\d{12})-(\d{6})-\d{12})$/;
const QUARANTINED_NAME = /^quarantine\/(.+)\/(\d{1,15})$/;

export function isKey(key: string): boolean {
  return KEY.test(key);
}

/** Returns the key. @throws {Error} if it is invalid: it could name an object that isn't a sound */
export function requireKey(key: string): string {
  if (!KEY.test(key)) throw new Error(`Not a key of a sound: ${key}`);
  return key;
}

/** Returns the name of a finished sound's object. @throws {Error} if the key is invalid */
export function soundName(key: string): string {
  return SOUNDS + requireKey(key);
}

/** Returns the prefix of an unfinished sound's objects. @throws {Error} if the key is invalid */
export function unfinishedPrefix(key: string): string {
  return `${UNFINISHED}${requireKey(key)}/`;
}

export function quarantineName(key: string, since: number): string {
  return `${QUARANTINE}${requireKey(key)}/${since}`;
}

/**
 * Returns the name of a claim. Each writer of a sound has its own, and each that takes the sound over has a higher
 * epoch.
 * @param random makes the name unique
 */
export function claimName(key: string, epoch: number, random: string): string {
  return `${unfinishedPrefix(key)}claim-${padded(epoch, 6)}-${random}`;
}

/** Returns the name of a segment. What a writer sends again may be longer, and never replaces what it sent before. */
export function segmentName(key: string, epoch: number, start: number, bytes: number): string {
  return `${unfinishedPrefix(key)}segment-${padded(start, 12)}-${padded(epoch, 6)}-${padded(bytes, 12)}`;
}

/** The parts of the name of an unfinished sound's object. */
interface UnfinishedName {
  readonly key: string;
  readonly epoch: number;
  /** Position of a segment's first byte in the sound; undefined if the object is a claim. */
  readonly start: number | undefined;
}

/** Parses an object name. Returns undefined if it does not belong to the store. */
export function parseUnfinished(name: string): UnfinishedName | undefined {
  const [, key = "", claimEpoch, start, epoch] = UNFINISHED_NAME.exec(name) ?? [];
  if (!KEY.test(key)) return undefined;
  return {
    key,
    epoch: Number(claimEpoch ?? epoch),
    start: start === undefined ? undefined : Number(start),
  };
}

export function isClaim(name: string): boolean {
  const parsed = parseUnfinished(name);
  return parsed !== undefined && parsed.start === undefined;
}

/** Parses an object name. Returns undefined if it does not belong to the store. */
export function parseQuarantined(
  name: string,
): { readonly key: string; readonly since: number } | undefined {
  const [, key = "", since] = QUARANTINED_NAME.exec(name) ?? [];
  return KEY.test(key) ? { key, since: Number(since) } : undefined;
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}
