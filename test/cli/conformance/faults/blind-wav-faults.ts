import { createHash } from "node:crypto";
import type { Break, Fault } from "./breaking-proxy.ts";
import { becomes, FILE, is } from "./tools.ts";

interface Chunk {
  readonly id: string;
  readonly at: number;
  readonly size: number;
}

function chunksOf(wav: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  if (wav.toString("latin1", 0, 4) !== "RIFF") return chunks;
  for (let at = 12; at + 8 <= wav.byteLength;) {
    const size = wav.readUInt32LE(at + 4);
    chunks.push({ id: wav.toString("latin1", at, at + 4), at: at + 8, size });
    at += 8 + size + (size % 2);
  }
  return chunks;
}

function formatOf(wav: Buffer) {
  const { at = 0, size = 0 } = chunksOf(wav).find(({ id }) => id === "fmt ") ?? {};
  if (size < 16 || at + size > wav.byteLength) return undefined;
  const isExtensible = wav.readUInt16LE(at) === 0xfffe && size >= 40;
  return {
    tag: wav.readUInt16LE(isExtensible ? at + 24 : at),
    channels: wav.readUInt16LE(at + 2),
    rate: wav.readUInt32LE(at + 4),
    align: wav.readUInt16LE(at + 12),
    bits: wav.readUInt16LE(at + 14),
    validBits: isExtensible ? wav.readUInt16LE(at + 18) : undefined,
  };
}

function dataOf(wav: Buffer): Chunk | undefined {
  return chunksOf(wav).find(({ id }) => id === "data");
}

/** Refuses WAVs that the relay may accept. */
function refusesWav(when: (wav: Buffer) => boolean, code: string): Break {
  return {
    seesBody: true,
    answer: (answered, asked) => {
      if (!is(asked, "PUT", FILE) || answered.status !== 200 || asked.body === undefined) return;
      if (when(asked.body)) becomes(answered, 422, { error: "No.", code });
    },
  };
}

/** Accepts WAVs that the relay refuses. */
function acceptsWav(code: string, when: (wav: Buffer) => boolean = () => true): Break {
  return {
    seesBody: true,
    answer: (answered, asked) => {
      const { body } = asked;
      if (
        !is(asked, "PUT", FILE) ||
        answered.json?.code !== code ||
        body === undefined ||
        !when(body)
      )
        return;
      const file = decodeURIComponent(asked.path.split("/").at(-1) ?? "");
      const sha256 = createHash("sha256").update(body).digest("hex");
      becomes(answered, 200, { file, bytes: body.byteLength, sha256 });
    },
  };
}

/** Faults in the check of a WAV. */
export const WAV_FAULTS: readonly Fault[] = [
  {
    rule: "U4",
    what: "no WAV with fewer valid bits than its container",
    ...refusesWav((wav) => {
      const { bits, validBits = bits } = formatOf(wav) ?? {};
      return bits !== validBits;
    }, "WAV_BITS_UNSUPPORTED"),
  },
  {
    rule: "U4",
    what: "fmt as the first chunk only",
    ...refusesWav((wav) => chunksOf(wav)[0]?.id !== "fmt ", "WAV_NO_FORMAT"),
  },
  {
    rule: "U4",
    what: "chunks without the byte that pads odd ones",
    ...refusesWav((wav) => {
      const { at: end = 0 } = dataOf(wav) ?? {};
      return chunksOf(wav).some(({ at, size }) => at < end && size % 2 === 1);
    }, "WAV_NO_DATA"),
  },
  {
    rule: "U4",
    what: "only 4 KiB read before the audio",
    ...refusesWav((wav) => (dataOf(wav)?.at ?? 0) > 4096, "WAV_NO_DATA"),
  },
  {
    rule: "U4",
    what: "a RIFF size that must be right",
    ...refusesWav((wav) => wav.readUInt32LE(4) !== wav.byteLength - 8, "WAV_LENGTH_WRONG"),
  },
  {
    rule: "U4",
    what: "nothing allowed after the audio",
    ...refusesWav((wav) => {
      const { at = 0, size = 0 } = dataOf(wav) ?? {};
      return at + size + (size % 2) < wav.byteLength;
    }, "WAV_LENGTH_WRONG"),
  },
  {
    rule: "U4",
    what: "audio of whole frames only",
    ...refusesWav(
      (wav) => (dataOf(wav)?.size ?? 0) % (formatOf(wav)?.align ?? 1) !== 0,
      "WAV_NO_DATA",
    ),
  },
  {
    rule: "U4",
    what: "no 8-bit audio",
    ...refusesWav((wav) => formatOf(wav)?.bits === 8, "WAV_BITS_UNSUPPORTED"),
  },
  {
    rule: "U4",
    what: "no 32-bit PCM",
    ...refusesWav(
      (wav) => formatOf(wav)?.bits === 32 && formatOf(wav)?.tag === 1,
      "WAV_BITS_UNSUPPORTED",
    ),
  },
  {
    rule: "U4",
    what: "rates from 8000 Hz only",
    ...refusesWav((wav) => (formatOf(wav)?.rate ?? 0) < 8000, "WAV_RATE_UNSUPPORTED"),
  },
  {
    rule: "U4",
    what: "rates below 192000 Hz only",
    ...refusesWav((wav) => formatOf(wav)?.rate === 192_000, "WAV_RATE_UNSUPPORTED"),
  },
  {
    rule: "U4",
    what: "a fmt chunk of 16 or 40 bytes only",
    ...refusesWav(
      (wav) => chunksOf(wav).some(({ id, size }) => id === "fmt " && size === 18),
      "WAV_FORMAT_BROKEN",
    ),
  },
  {
    rule: "U4",
    what: "audio that may end a byte after the file",
    ...(() => {
      const isNear = (wav: Buffer) => {
        const { at = 0, size = 0 } = dataOf(wav) ?? {};
        return at + size === wav.byteLength + 1;
      };
      const cut = acceptsWav("WAV_CUT_SHORT", isNear);
      const wrong = acceptsWav("WAV_LENGTH_WRONG", isNear);
      return {
        seesBody: true as const,
        answer: (...both: Parameters<NonNullable<Break["answer"]>>) => {
          void cut.answer?.(...both);
          void wrong.answer?.(...both);
        },
      };
    })(),
  },
  {
    rule: "U4",
    what: "mu-law accepted",
    ...acceptsWav("WAV_COMPRESSED", (wav) => formatOf(wav)?.tag === 7),
  },
  { rule: "U4", what: "64-bit float accepted", ...acceptsWav("WAV_FLOAT_UNSUPPORTED") },
  { rule: "U4", what: "any block align accepted", ...acceptsWav("WAV_BLOCK_ALIGN_WRONG") },
  { rule: "U4", what: "three channels accepted", ...acceptsWav("WAV_CHANNELS_UNSUPPORTED") },
  {
    rule: "U4",
    what: "streamed WAVs accepted whose size is 0xFFFFFFFF",
    ...acceptsWav("WAV_STREAMED", (wav) => dataOf(wav)?.size === 0xffffffff),
  },
];
