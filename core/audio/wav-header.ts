/** The audio format and data position from a WAV's header. */
export interface WavHeader {
  readonly encoding: "pcm" | "float";
  readonly channels: 1 | 2;
  readonly sampleRateHz: number;
  /** Container size of one sample. */
  readonly bitsPerSample: 8 | 16 | 24 | 32;
  /** Offset of the first audio byte in the file. */
  readonly dataOffset: number;
  readonly dataBytes: number;
  /** Whole frames: floor(data bytes / block align); at least 1. */
  readonly frames: number;
}
