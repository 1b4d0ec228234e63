/** Plays one sound from its file, without decoding it whole. */
export class SoundPreview {
  readonly #wav: Blob;
  readonly #tell: (isPlaying: boolean) => void;
  #audio: HTMLAudioElement | null = null;

  /** @param tell called at once, and when it starts or stops */
  constructor(wav: Blob, tell: (isPlaying: boolean) => void) {
    this.#wav = wav;
    this.#tell = tell;
    tell(false);
  }

  /** Never rejects: what can't be played stays silent. */
  async toggle(): Promise<void> {
    if (this.#audio !== null) return this.stop();
    const audio = new Audio(URL.createObjectURL(this.#wav));
    this.#audio = audio;
    audio.addEventListener("ended", () => this.stop());
    audio.addEventListener("error", () => this.stop());
    this.#tell(true);
    await audio.play().catch(() => this.stop());
  }

  stop(): void {
    const audio = this.#audio;
    if (audio === null) return;
    this.#audio = null;
    audio.pause();
    URL.revokeObjectURL(audio.src);
    this.#tell(false);
  }
}
