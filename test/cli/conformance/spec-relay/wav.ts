/** Follows a WAV file as it arrives: RIFF/WAVE, a `fmt ` chunk, and `data` that ends within the file. */
export class WavGate {
  #pending: Buffer = Buffer.alloc(0);
  #skip = 0;
  #total = 0;
  #isWave: boolean | undefined;
  #hasFormat = false;
  #dataEnd: number | undefined;

  write(bytes: Buffer): void {
    this.#total += bytes.length;
    const skipped = Math.min(this.#skip, bytes.length);
    this.#skip -= skipped;
    if (this.#isWave === false) return;
    this.#pending = Buffer.concat([this.#pending, bytes.subarray(skipped)]);
    while (this.#pending.length >= (this.#isWave ? 8 : 12)) this.#readHeader(this.#pending);
  }

  #readHeader(head: Buffer): void {
    const name = head.toString("latin1", 0, 4);
    if (this.#isWave === undefined) {
      this.#isWave = name === "RIFF" && head.toString("latin1", 8, 12) === "WAVE";
      this.#pending = this.#isWave ? head.subarray(12) : Buffer.alloc(0);
      return;
    }
    const size = head.readUInt32LE(4);
    if (name === "fmt " && size >= 16) this.#hasFormat = true;
    if (name === "data") this.#dataEnd ??= this.#total - head.length + 8 + size;
    const whole = 8 + size + (size % 2);
    this.#skip = Math.max(0, whole - head.length);
    this.#pending = head.subarray(whole);
  }

  /** A sentence about what is wrong with the file, which has now ended; undefined if nothing is. */
  problem(): string | undefined {
    if (!this.#isWave) return "this is no WAV file.";
    if (!this.#hasFormat) return "the WAV header has no fmt chunk.";
    if (this.#dataEnd === undefined) return "the WAV file has no data chunk.";
    return this.#dataEnd > this.#total ? "the WAV data ends after the file." : undefined;
  }
}
