import { describePackage } from "../../client/send/describe-package.ts";
import { Refusal } from "../../core/protocol/refusal.ts";
import { REFUSED_WAVS } from "../../fixtures/refused-wavs.ts";
import { ascii, chunk, extensible, format, join, wav } from "../../fixtures/wav-bytes.ts";
import { judgeWav } from "../../scripts/corpus/judge-wav.ts";
import type { NamesVector, VectorSound, WavVector } from "./vector.ts";

const plain = chunk("fmt ", format());
const data = chunk("data", new Uint8Array(48));
const list = chunk("LIST", ascii("INFO"));
const junk = chunk("JUNK", new Uint8Array(5001));
const many = join(...Array.from({ length: 600 }, () => chunk("note", [])));
const tag = join(ascii("ID3"), [4, 0, 0x10, 0, 0, 0, 4], new Uint8Array(14));

const formatted = (body: Uint8Array, ...before: readonly Uint8Array[]): Uint8Array =>
  wav([...before, chunk("fmt ", body), data]);

function withSizes(claimed: number, riffBytes: number, behind: Uint8Array = data): Uint8Array {
  const file = wav([plain, chunk("data", [], claimed), behind]);
  new DataView(file.buffer).setUint32(4, riffBytes, true);
  return file;
}

/** WAVs beside the refused ones of `fixtures/`. */
const WAVS: Readonly<Record<string, Uint8Array>> = {
  "plain.wav": wav([plain, data]),
  "8-bit.wav": formatted(format({ bits: 8 })),
  "stereo 24-bit.wav": formatted(format({ bits: 24, channels: 2 })),
  "float.wav": formatted(format({ tag: 3, bits: 32 })),
  "extensible.wav": formatted(extensible({ bits: 32, validBits: 20 })),
  "extensible float.wav": formatted(extensible({ subTag: 3, bits: 32 })),
  "other family.wav": formatted(extensible({ guidTail: [...ascii("other than it.")] })),
  "lowest rate.wav": formatted(format({ sampleRateHz: 1 })),
  "highest rate.wav": formatted(format({ sampleRateHz: 192_000 })),
  "above it.wav": formatted(format({ sampleRateHz: 192_001 })),
  "no channel.wav": formatted(format({ channels: 0, blockAlign: 2 })),
  "no bits.wav": formatted(format({ bits: 0, blockAlign: 2 })),
  "16-bit float.wav": formatted(format({ tag: 3, bits: 16 })),
  "mp3.wav": formatted(format({ tag: 0x55 })),
  "all faults.wav": formatted(format({ tag: 2, channels: 6, sampleRateHz: 0, bits: 20 })),
  "long format.wav": formatted(join(format(), new Uint8Array(31))),
  "much before.wav": wav([junk, list, plain, junk, data]),
  "many before.wav": wav([many, plain, many, data]),
  "odd chunks.wav": formatted(format(), chunk("bext", [1, 2, 3]), chunk("LIST", [1])),
  "first format.wav": wav([plain, chunk("fmt ", format({ tag: 2 })), data]),
  "forged chunk.wav": wav([chunk("LIST", ascii("INFO"), 0xffff_ffff), plain, data]),
  "forged before audio.wav": wav([plain, chunk("LIST", ascii("INFO"), 0xffff_fffe), data]),
  "two.wav": join(wav([plain, data]), wav([plain, data])),
  "half a frame.wav": wav([plain, chunk("data", [1])]),
  "odd audio.wav": wav([plain, chunk("data", [1, 2, 3])]).subarray(0, -1),
  "two tags.wav": join(tag, tag, wav([plain, data], "RF64")),
  "tag of an mp3.wav": join(tag, ascii("fLaC"), new Uint8Array(40)),
  "nothing.wav": new Uint8Array(0),
  "avi.wav": wav([plain, data], "RIFF", "AVI "),
  "audio first.wav": wav([data, list]),
  "cut in format.wav": wav([plain]).subarray(0, 30),
  "empty, then a chunk.wav": withSizes(0, 44, list),
  "empty, then audio.wav": withSizes(0, 44, new Uint8Array(8).fill(0xd3)),
  "empty, then a byte.wav": withSizes(0, 44, Uint8Array.of(1)),
  "placeholder.wav": withSizes(0x7fff_0000, 92),
  "below it.wav": withSizes(0x7ffe_ffff, 0x7ffe_ffff),
  "near 2^28.wav": withSizes(2 ** 28 + 4096, 2 ** 28),
  "farther.wav": withSizes(2 ** 28 + 4098, 2 ** 28),
  "round.wav": withSizes(250_000_000, 250_000_036),
  "not round.wav": withSizes(250_000_001, 250_000_036),
  "riff of a stream.wav": withSizes(100_000, 0),
  "whole by its riff.wav": withSizes(100, 92),
  "longer by its riff.wav": withSizes(100, 93),
  [`${"long ".repeat(19)}.wav`]: new Uint8Array(9),
  "🥁🥁🥁🥁🥁🥁🥁🥁🥁🥁🥁🥁🥁🥁🥁🥁🥁🥁🥁🥁🥁🥁🥁🥁🥁🥁": wav([data, plain]),
  "line\nbreak\u202E.wav": new Uint8Array(9),
};

/** Records the judgment of `core/audio` on each WAV. */
export async function recordWavs(): Promise<readonly WavVector[]> {
  const wavs = [
    ...REFUSED_WAVS.map(({ file, bytes }) => [file, bytes] as const),
    ...Object.entries(WAVS),
  ];
  return Promise.all(wavs.map(([name, bytes]) => judge(name, bytes)));
}

async function judge(name: string, bytes: Uint8Array): Promise<WavVector> {
  const judged = await judgeWav(bytes, name);
  const sound = soundOf(bytes);
  if (!(judged instanceof Refusal)) return { name, sound };
  return { name, sound, error: { code: judged.code, error: judged.message } };
}

function soundOf(bytes: Uint8Array): VectorSound {
  const headBytes = bytes.findLastIndex((byte) => byte !== 0) + 1;
  const head = Buffer.from(bytes.subarray(0, headBytes)).toString("base64");
  return { head, zeros: bytes.length - headBytes };
}

/** Names of files, in the order in which a package has them; null for bytes without a name. */
const FILES: readonly (readonly (string | null)[])[] = [
  ["Kick 01.wav", "Kick 01.wav", "Kick 01.WAV", null, "sound-5.wav"],
  ["Größe.wav", "Gro\u0308ße.wav", "ドラム.wav", "🥁.wav", "sound-1.wav"],
  ["take.1.wav", "take..1.wav", ".hidden.wav", "no extension", "kick@120!.wav", " kick.wav"],
  [`${"a".repeat(96)}.wav`, `${"a".repeat(97)}.wav`],
  ["sound-2.wav", null, null],
];

/** Records the names that `client/send` gives to the sounds of such files. */
export function recordNames(): readonly NamesVector[] {
  return FILES.map((files) => {
    const sounds = files.map((name) => ({
      source: name === null ? new Blob([]) : new File([], name),
    }));
    return { files, items: describePackage({ sounds }, undefined).sounds.map(({ item }) => item) };
  });
}
