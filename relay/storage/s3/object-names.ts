const KEY = /^[\w-]+\/[\w-]+$/;

/** Prefix of finished sounds: `sounds/<key>`. */
export const SOUNDS = "sounds/";
/** Prefix of the objects of sounds that are being written: `unfinished/<key>/…`. A lifecycle rule may expire them. */
export const UNFINISHED = "unfinished/";
/** Prefix of quarantined sounds: `quarantine/<key>/<relay time in ms>`. */
export const QUARANTINE = "quarantine/";
/** The object with the id of the instance that the bucket belongs to (rule Z1). */
export const INSTANCE_OBJECT = "soundferry-instance";

const CLAIM = /^claim-(\d{6})-[\w-]+$/;
const SEGMENT = /^segment-(\d{12})-(\d{6})$/;
const EPOCH_DIGITS = 6;
const START_DIGITS = 12;

export function isKey(key: string): boolean {
  return KEY.test(key);
}

/** Checks a key. @throws {Error} if the key is invalid: it could name an object that isn't a sound */
function requireKey(key: string): void {
  if (!KEY.test(key)) throw new Error(`Not a key of a sound: ${key}`);
}

/** Returns the name of a finished sound's object. @throws {Error} if the key is invalid */
export function soundName(key: string): string {
  requireKey(key);
  return SOUNDS + key;
}

/** Returns the prefix of an unfinished sound's objects. @throws {Error} if the key is invalid */
export function unfinishedPrefix(key: string): string {
  requireKey(key);
  return `${UNFINISHED}${key}/`;
}

/** Returns the package's part of a key. */
export function packageOf(key: string): string {
  return key.slice(0, key.indexOf("/"));
}

/**
 * Returns the name of a claim. Each writer of a sound has its own, and each that takes the sound over has a higher
 * epoch.
 * @param random makes the name unique
 */
export function claimName(key: string, epoch: number, random: string): string {
  return `${unfinishedPrefix(key)}claim-${padded(epoch, EPOCH_DIGITS)}-${random}`;
}

/** Returns the name of a segment. @param start position of its first byte in the sound */
export function segmentName(key: string, start: number, epoch: number): string {
  return `${unfinishedPrefix(key)}segment-${padded(start, START_DIGITS)}-${padded(epoch, EPOCH_DIGITS)}`;
}

/** The parts of the name of an unfinished sound's object. */
type UnfinishedName =
  | { readonly key: string; readonly kind: "claim"; readonly epoch: number }
  | {
      readonly key: string;
      readonly kind: "segment";
      readonly start: number;
      readonly epoch: number;
    };

/** Parses an object name. Returns undefined if it does not belong to the store. */
export function parseUnfinished(name: string): UnfinishedName | undefined {
  if (!name.startsWith(UNFINISHED)) return undefined;
  const { key, last } = splitLast(name.slice(UNFINISHED.length));
  if (!KEY.test(key)) return undefined;
  const claim = CLAIM.exec(last);
  if (claim !== null) return { key, kind: "claim", epoch: Number(claim[1]) };
  const segment = SEGMENT.exec(last);
  if (segment === null) return undefined;
  return { key, kind: "segment", start: Number(segment[1]), epoch: Number(segment[2]) };
}

export function quarantineName(key: string, since: number): string {
  requireKey(key);
  return `${QUARANTINE}${key}/${since}`;
}

/** Parses an object name. Returns undefined if it does not belong to the store. */
export function parseQuarantined(
  name: string,
): { readonly key: string; readonly since: number } | undefined {
  if (!name.startsWith(QUARANTINE)) return undefined;
  const { key, last } = splitLast(name.slice(QUARANTINE.length));
  if (!KEY.test(key) || !/^\d{1,15}$/.test(last)) return undefined;
  return { key, since: Number(last) };
}

function splitLast(path: string): { readonly key: string; readonly last: string } {
  const at = path.lastIndexOf("/");
  return { key: path.slice(0, Math.max(0, at)), last: path.slice(at + 1) };
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}
