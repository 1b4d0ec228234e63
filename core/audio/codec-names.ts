/** Common names of the codecs found in WAVs, by format tag. */
const CODEC_NAMES: ReadonlyMap<number, string> = new Map([
  [0x0002, "MS ADPCM"],
  [0x0006, "A-law"],
  [0x0007, "mu-law"],
  [0x0011, "IMA ADPCM"],
  [0x0022, "TrueSpeech"],
  [0x0031, "GSM 6.10"],
  [0x0040, "G.721 ADPCM"],
  [0x0050, "MPEG"],
  [0x0055, "MP3"],
  [0x0064, "G.726 ADPCM"],
  [0x0092, "AC-3"],
  [0x00ff, "AAC"],
  [0x0160, "WMA"],
  [0x0161, "WMA"],
  [0x0162, "WMA Pro"],
  [0x0163, "WMA Lossless"],
  [0x0270, "ATRAC3"],
  [0x1600, "AAC"],
  [0x1610, "AAC"],
  [0x2000, "AC-3"],
  [0x2001, "DTS"],
  [0x566f, "Ogg Vorbis"],
  [0x674f, "Ogg Vorbis"],
  [0x6750, "Ogg Vorbis"],
  [0x6751, "Ogg Vorbis"],
  [0x676f, "Ogg Vorbis"],
  [0x6770, "Ogg Vorbis"],
  [0x6771, "Ogg Vorbis"],
  [0x704f, "Opus"],
  [0xa106, "AAC"],
  [0xf1ac, "FLAC"],
]);

/** The codec name of a format tag, or its hex number (`0x1234`) if unknown. */
export function codecName(formatTag: number): string {
  return CODEC_NAMES.get(formatTag) ?? `0x${formatTag.toString(16).padStart(4, "0").toUpperCase()}`;
}
