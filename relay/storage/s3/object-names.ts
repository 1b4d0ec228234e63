const KEY = /^[\w-]+\/[\w-]+$/;

/** Finished sounds are `sounds/<key>`. */
export const SOUNDS = "sounds/";
/** What belongs to sounds that are being written: `unfinished/<key>/…`. A lifecycle rule may expire it. */
export const UNFINISHED = "unfinished/";
/** Sounds that are put aside: `quarantine/<key>/<relay time in ms>`. */
export const QUARANTINE = "quarantine/";
/** The id of the instance that the bucket belongs to (rule Z1). */
export const INSTANCE_OBJECT = "soundferry-instance";

const CLAIM = /^claim-(\d{6})-[\w-]+$/;
const SEGMENT = /^segment-(\d{12})-(\d{6})$/;
const EPOCH_DIGITS = 6;
const START_DIGITS = 12;

export function isKey(key: string): boolean {
  return KEY.test(key);
}

/** @throws {Error} if the key is none: it could name an object that is no sound */
function requireKey(key: string): void {
  if (!KEY.test(key)) throw new Error(`Not a key of a sound: ${key}`);
}

/** The object of a finished sound. @throws {Error} if the key is none */
export function soundName(key: string): string {
  requireKey(key);
  return SOUNDS + key;
}

/** The beginning of the names of what belongs to an unfinished sound. @throws {Error} if the key is none */
export function unfinishedPrefix(key: string): string {
  requireKey(key);
  return `${UNFINISHED}${key}/`;
}

/** The package's part of a key. */
export function packageOf(key: string): string {
  return key.slice(0, key.indexOf("/"));
}

/**
 * Each writer of a sound has a claim of its own. Each that takes it over has a higher epoch.
 * @param random makes the name one that nobody else has
 */
export function claimName(key: string, epoch: number, random: string): string {
  return `${unfinishedPrefix(key)}claim-${padded(epoch, EPOCH_DIGITS)}-${random}`;
}

/** @param start of its first byte in the sound */
export function segmentName(key: string, start: number, epoch: number): string {
  return `${unfinishedPrefix(key)}segment-${padded(start, START_DIGITS)}-${padded(epoch, EPOCH_DIGITS)}`;
}

/** What the name of an unfinished sound's object says. */
type UnfinishedName =
  | { readonly key: string; readonly kind: "claim"; readonly epoch: number }
  | {
      readonly key: string;
      readonly kind: "segment";
      readonly start: number;
      readonly epoch: number;
    };

/** Undefined for what is not the store's. */
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

/** Undefined for what is not the store's. */
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
