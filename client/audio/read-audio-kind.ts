import { tagBytes } from "../../core/audio/file-start.ts";

/** The format of a file that isn't a WAV. */
export interface AudioKind {
  /** Common name, such as `MP3`. */
  readonly name: string;
  /** null if the searched part of the file doesn't state it. */
  readonly sampleRateHz: number | null;
  /** True if encoding added silence around the sound, which makes it inexact as a loop. */
  readonly isPadded: boolean;
  /** True for a video, of which only the sound is decoded. */
  readonly isVideo: boolean;
}

/** The format of a file, and whether there is anything to decode: a video may have no sound. */
export interface ReadKind extends AudioKind {
  readonly hasSound: boolean;
}

const MP3_RATES_HZ = [44_100, 48_000, 32_000];
const AAC_RATES_HZ = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000,
  7350,
];
/** Opus always plays at this rate, whatever its source. */
const OPUS_RATE_HZ = 48_000;
/** Number of bytes searched for the rate; pictures and other tags may come before it. */
const SEARCHED_BYTES = 4_000_000;

/**
 * Detects an audio file's format by its first bytes, and reads its sample rate: a browser decodes to any rate
 * but does not report which one the file had. Returns undefined if the format is unknown.
 */
export function readAudioKind(file: Uint8Array): ReadKind | undefined {
  const { kind, tracks } = readFormat(file);
  const isVideo = tracks?.hasPicture === true;
  return kind && { ...kind, isVideo, hasSound: !isVideo || tracks.hasSound };
}

type Sound = Omit<AudioKind, "isVideo">;

/** A file's format, and what a container that may be a video has. */
interface Format {
  readonly kind: Sound | undefined;
  readonly tracks?: { readonly hasPicture: boolean; readonly hasSound: boolean };
}

function readFormat(file: Uint8Array): Format {
  const bytes = file.subarray(
    tagBytes(new DataView(file.buffer, file.byteOffset, file.byteLength)),
  );
  const starts = (text: string, at = 0): boolean => textAt(bytes, at, text.length) === text;
  if (starts("fLaC")) {
    return { kind: { name: "FLAC", sampleRateHz: flacRate(bytes, 18), isPadded: false } };
  }
  if (starts("OggS")) return { kind: readOgg(bytes) };
  if (starts("ftyp", 4)) return readMp4(bytes);
  if (starts("\x1a\x45\xdf\xa3")) return readWebm(bytes);
  return { kind: readFrames(bytes) };
}

function readWebm(bytes: Uint8Array): Format {
  const has = (...codecs: readonly string[]) => codecs.some((codec) => find(bytes, codec) >= 0);
  const isOpus = has("A_OPUS");
  return {
    kind: { name: "WebM", sampleRateHz: isOpus ? OPUS_RATE_HZ : null, isPadded: false },
    tracks: { hasPicture: has("V_VP", "V_AV1", "V_MPEG"), hasSound: isOpus || has("A_") },
  };
}

/** Reads MP3 and raw AAC, which start with a frame; a frame starts with eleven set bits. */
function readFrames(bytes: Uint8Array): Sound | undefined {
  const [first = 0, second = 0, third = 0] = bytes;
  if (first !== 0xff || second < 0xe0) return undefined;
  const layer = (second >> 1) & 3;
  if (layer === 0) {
    const sampleRateHz = AAC_RATES_HZ[(third >> 2) & 15] ?? null;
    return { name: "AAC", sampleRateHz, isPadded: true };
  }
  const version = (second >> 3) & 3;
  const full = MP3_RATES_HZ[(third >> 2) & 3];
  if (version === 1 || full === undefined) return undefined;
  const sampleRateHz = version === 3 ? full : version === 2 ? full / 2 : full / 4;
  return { name: "MP3", sampleRateHz, isPadded: true };
}

function readOgg(bytes: Uint8Array): Sound {
  const start = bytes.subarray(0, 512);
  if (find(start, "OpusHead") >= 0) {
    return { name: "Opus", sampleRateHz: OPUS_RATE_HZ, isPadded: false };
  }
  const vorbis = find(start, "\x01vorbis");
  if (vorbis >= 0) {
    return {
      name: "Ogg Vorbis",
      sampleRateHz: littleEndianAt(start, vorbis + 12),
      isPadded: false,
    };
  }
  const flac = find(start, "fLaC");
  const sampleRateHz = flac >= 0 ? flacRate(start, flac + 18) : null;
  return { name: "Ogg", sampleRateHz, isPadded: false };
}

/** Codecs in an MP4, by their four-character codes. */
const MP4_CODECS = { mp4a: "AAC", alac: "Apple Lossless", Opus: "Opus", fLaC: "FLAC" } as const;

/** Reads the description of an MP4 or a QuickTime file: its tracks, the codec, and 24 bytes later the rate. */
function readMp4(bytes: Uint8Array): Format {
  const description = bytes.subarray(findMoov(bytes));
  const types = trackTypes(description);
  const tracks = { hasPicture: types.includes("vide"), hasSound: types.includes("soun") };
  for (const [codec, name] of Object.entries(MP4_CODECS)) {
    const at = find(description, codec);
    if (at < 0) continue;
    const high = ((description[at + 28] ?? 0) << 8) | (description[at + 29] ?? 0);
    const sampleRateHz = high > 0 ? high : null;
    return { kind: { name, sampleRateHz, isPadded: name === "AAC" }, tracks };
  }
  return { kind: { name: "MP4", sampleRateHz: null, isPadded: false }, tracks };
}

const HANDLER = "hdlr";

/** Lists the types of the tracks, which their handlers name after eight bytes. */
function trackTypes(description: Uint8Array): readonly string[] {
  const types: string[] = [];
  for (let rest = description; ;) {
    const at = find(rest, HANDLER);
    if (at < 0) return types;
    types.push(textAt(rest, at + 12, 4));
    rest = rest.subarray(at + HANDLER.length);
  }
}

/** Finds the start of an MP4's `moov` box, which may come after megabytes of sound; 0 if there is none. */
function findMoov(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + 16 <= bytes.length;) {
    if (textAt(bytes, at + 4, 4) === "moov") return at;
    const short = view.getUint32(at);
    const sizeBytes = short === 1 ? Number(view.getBigUint64(at + 8)) : short;
    if (sizeBytes < 8) return 0;
    at += sizeBytes;
  }
  return 0;
}

/** Reads a FLAC's rate, which takes twenty bits. */
function flacRate(bytes: Uint8Array, at: number): number | null {
  const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3);
  const rate = (a << 12) | (b << 4) | (c >> 4);
  return rate > 0 ? rate : null;
}

function littleEndianAt(bytes: Uint8Array, at: number): number | null {
  if (at + 4 > bytes.length) return null;
  const rate = new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0, true);
  return rate > 0 ? rate : null;
}

function find(bytes: Uint8Array, text: string): number {
  const first = text.charCodeAt(0);
  const end = Math.min(bytes.length, SEARCHED_BYTES) - text.length;
  for (let at = bytes.indexOf(first); at >= 0 && at <= end; at = bytes.indexOf(first, at + 1)) {
    if (textAt(bytes, at, text.length) === text) return at;
  }
  return -1;
}

function textAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}
