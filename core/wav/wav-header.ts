/** What a WAV's header says of its audio. */
export interface WavHeader {
  readonly encoding: "pcm" | "float";
  readonly channels: 1 | 2;
  readonly sampleRateHz: number;
  /** Bits of one sample's container: 8, 16, 24 or 32. */
  readonly bitsPerSample: 8 | 16 | 24 | 32;
  /** Offset of the first audio byte in the file. */
  readonly dataOffset: number;
  readonly dataBytes: number;
  /** Whole frames: floor(data bytes / block align); at least 1. */
  readonly frames: number;
}
