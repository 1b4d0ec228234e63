import type { Heard } from "../../../core/audio/listening/heard.ts";
import type { AudioTools } from "./audio-tools.ts";
import type { SessionSound } from "./session-sound.ts";

/**
 * Listens to sounds whose guess is open, one after another (rule Y11). A sound waits only for those before it, never
 * for listening.
 */
export class SessionListening {
  readonly #audio: Pick<AudioTools, "isOpenGuess" | "listen">;
  #last: Promise<unknown> = Promise.resolve();
  /** False once no Worker could run. */
  #canListen = true;

  constructor(audio: Pick<AudioTools, "isOpenGuess" | "listen">) {
    this.#audio = audio;
  }

  /**
   * Listens to a sound if its guess is open.
   * @param take receives what was heard
   */
  add({ guess, source, header, edits }: SessionSound, take: (heard: Heard) => void): void {
    if (!this.#audio.isOpenGuess(guess) || edits.kind === "oneshot") return;
    this.#last = this.#last.then(async () => {
      if (!this.#canListen) return;
      const heard = await this.#audio.listen(source, header).catch(() => null);
      this.#canListen = heard !== null;
      if (heard !== null && heard.kind !== null) take(heard);
    });
  }
}
