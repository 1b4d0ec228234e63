import type { Fault } from "./breaking-proxy.ts";
import { becomes, COMMIT, FILE, is, STATUS } from "./tools.ts";
import { at, isExtensible, recode, refuse, sizeOf, take } from "./wav-fault-kinds.ts";

/** Faults in what a relay takes for a WAV. */
export const WAV_FAULTS: readonly Fault[] = [
  fault(
    "fewer valid bits that are refused",
    refuse(({ format }) => isExtensible(format) && format.validBits !== format.bits),
  ),
  fault(
    "20 valid bits that are refused",
    refuse(({ format }) => isExtensible(format) && format.validBits === 20),
  ),
  fault(
    "EXTENSIBLE that is refused",
    refuse(({ format }) => isExtensible(format)),
  ),
  fault(
    "EXTENSIBLE float that is refused",
    refuse(({ format }) => isExtensible(format) && format.subTag === 3),
  ),
  fault(
    "32-bit float that is refused in stereo",
    refuse(({ format: { tag, channels } }) => tag === 3 && channels === 2),
  ),
  fault(
    "8 bits that are refused",
    refuse(({ format }) => format.bits === 8),
  ),
  fault(
    "24 bits that are refused in stereo",
    refuse(({ format: { bits, channels } }) => bits === 24 && channels === 2),
  ),
  fault(
    "192 kHz that are refused",
    refuse(({ format }) => format.rateHz === 192_000),
  ),
  fault(
    "rates below 8 kHz that are refused",
    refuse(({ format }) => format.rateHz > 0 && format.rateHz < 8000),
  ),
  fault(
    "a format that must come within the first 64 KiB",
    refuse(({ chunks }) => at(chunks, "fmt ") > 65_536),
  ),
  fault(
    "audio that must begin within the first 64 KiB",
    refuse(({ chunks }) => at(chunks, "data") > 65_536),
  ),
  fault(
    "a format that must come first",
    refuse(({ chunks }) => at(chunks, "fmt ") > 12),
  ),
  fault(
    "odd chunks whose padding is forgotten",
    refuse(({ chunks }) => chunks.some(({ name, size }) => name === "LIST" && size % 2 === 1)),
  ),
  fault(
    "a format chunk that must have 16 bytes",
    refuse(({ format }) => !isExtensible(format) && format.size > 16),
  ),
  fault(
    "a RIFF size that must be right",
    refuse(({ bytes }) => bytes.readUInt32LE(4) !== bytes.length - 8),
  ),
  fault(
    "a last frame that must be whole",
    refuse(
      ({ chunks, format }) =>
        sizeOf(chunks) % Math.max(1, (format.channels * format.bits) / 8) !== 0,
    ),
  ),
  fault(
    "bytes after the audio that are refused",
    refuse(({ bytes, chunks }) => at(chunks, "data") + 8 + sizeOf(chunks) + 1 < bytes.length),
  ),
  fault(
    "a second format that counts",
    refuse(({ chunks }) => chunks.filter(({ name }) => name === "fmt ").length > 1),
  ),
  fault(
    "a byte rate that must be right",
    refuse(
      ({ bytes, chunks }) =>
        bytes.readUInt32LE(Math.max(0, at(chunks, "fmt ")) + 16) === 0x07_07_07_07,
    ),
  ),
  fault(
    "audio that may end one byte past the file",
    take(
      "WAV_LENGTH_WRONG",
      ({ bytes, chunks }) => at(chunks, "data") + 8 + sizeOf(chunks) === bytes.length + 1,
    ),
  ),
  fault(
    "a file that may lack its last byte",
    take(
      "WAV_CUT_SHORT",
      ({ bytes, chunks }) => at(chunks, "data") + 8 + sizeOf(chunks) === bytes.length + 1,
    ),
  ),
  ...[
    ["WAV_STREAMED", "a streamed header that is taken"],
    ["WAV_NO_DATA", "no audio that is taken"],
    ["WAV_RF64", "RF64 that is taken"],
    ["WAV_RIFX", "RIFX that is taken"],
    ["WAV_TAG_IN_FRONT", "an ID3 tag in front that is taken"],
    ["WAV_FORMAT_AFTER_DATA", "a format after the audio that is taken"],
    ["WAV_FORMAT_BROKEN", "a short format that is taken"],
    ["WAV_BLOCK_ALIGN_WRONG", "a wrong frame size that is taken"],
    ["WAV_CHANNELS_UNSUPPORTED", "6 channels that are taken"],
    ["WAV_BITS_UNSUPPORTED", "20 bits that are taken"],
    ["WAV_FLOAT_UNSUPPORTED", "64-bit float that is taken"],
  ].map(([code = "", what = ""]) =>
    fault(
      what,
      take(code, () => true),
    ),
  ),
  fault(
    "no channel that is taken",
    take("WAV_CHANNELS_UNSUPPORTED", ({ format }) => format.channels === 0),
  ),
  fault(
    "12 bits that are taken",
    take("WAV_BITS_UNSUPPORTED", ({ format }) => format.bits === 12),
  ),
  fault(
    "192001 Hz that are taken",
    take("WAV_RATE_UNSUPPORTED", ({ format }) => format.rateHz === 192_001),
  ),
  fault(
    "0 Hz that are taken",
    take("WAV_RATE_UNSUPPORTED", ({ format }) => format.rateHz === 0),
  ),
  ...([0x02, 0x07, 0x31] as const).map((tag) =>
    fault(
      `codec ${tag} that is taken`,
      take("WAV_COMPRESSED", ({ format }) => format.tag === tag),
    ),
  ),
  fault(
    "any sub-format of EXTENSIBLE that is taken",
    take("WAV_COMPRESSED", ({ format }) => isExtensible(format)),
  ),
  fault(
    "the placeholder of sox that is taken",
    take("WAV_STREAMED", ({ chunks }) => sizeOf(chunks) === 0x7f_ff_f0_00),
  ),
  fault(
    "the placeholder 2,000,000,000 that is called a cut",
    recode("WAV_STREAMED", "WAV_CUT_SHORT", ({ chunks }) => sizeOf(chunks) === 2_000_000_000),
  ),
  fault(
    "a length 0 with audio behind it that is called no audio",
    recode("WAV_STREAMED", "WAV_NO_DATA", ({ chunks }) => sizeOf(chunks) === 0),
  ),
  fault(
    "one code for every WAV that is refused",
    recode(/^WAV_/, "WAV_NOT_RIFF", () => true),
  ),
  fault(
    "a Git LFS pointer without a code of its own",
    recode("WAV_LFS_POINTER", "WAV_NOT_RIFF", () => true),
  ),
  fault(
    "mu-law that is called a wrong bit depth",
    recode("WAV_COMPRESSED", "WAV_BITS_UNSUPPORTED", ({ format }) => format.tag === 7),
  ),
  {
    rule: "U1",
    what: "a refused WAV that is stored",
    plant: () => {
      const stored = new Set<string>();
      return {
        answer: (answered, asked) => {
          const { json } = answered;
          if (is(asked, "PUT", FILE) && String(json?.code).startsWith("WAV_"))
            stored.add(asked.path);
          const isStored = (file: string) =>
            stored.has(asked.path.replace(/[^/]+$/, `files/${encodeURIComponent(file)}`));
          if (is(asked, "GET", STATUS) && json?.files !== undefined) {
            for (const file of Object.keys(json.files).filter(isStored))
              json.files[file] = "uploaded";
          }
          if (is(asked, "POST", COMMIT) && json?.missing?.every(isStored)) {
            becomes(answered, 200, { status: "waiting" });
          }
        },
      };
    },
  },
];

function fault(what: string, answer: NonNullable<Fault["answer"]>): Fault {
  return { rule: "U4", what, answer };
}
