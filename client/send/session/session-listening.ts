import type { Heard } from "../../../core/audio/listening/heard.ts";
import { isOpenGuess } from "../../../core/guess/apply-heard.ts";
import type { AudioTools } from "./audio-tools.ts";
import type { SessionSound } from "./session-sound.ts";

interface ListeningDeps {
  readonly audio: Pick<AudioTools, "listen">;
  /** The sounds as they are now. */
  readonly sounds: () => readonly SessionSound[];
  /** Receives what was heard in a sound. */
  readonly onHeard: (sound: SessionSound, heard: Heard) => void;
}

/** Listens to sounds whose guess is open, one after another, each once (rule Y11). Nothing waits for it. */
export class SessionListening {
  readonly #deps: ListeningDeps;
  readonly #heard = new WeakSet<Blob>();
  #isListening = false;
  /** False once no Worker could run. */
  #canListen = true;

  constructor(deps: ListeningDeps) {
    this.#deps = deps;
  }

  /** Listens to each sound that is open now or by then. Never rejects. */
  async listen(): Promise<void> {
    if (this.#isListening) return;
    this.#isListening = true;
    for (let sound = this.#next(); sound !== undefined; sound = this.#next()) {
      this.#heard.add(sound.source);
      const heard = await this.#deps.audio.listen(sound.source, sound.header);
      this.#canListen = heard !== null;
      if (heard !== null && heard.kind !== null) this.#deps.onHeard(sound, heard);
    }
    this.#isListening = false;
  }

  #next(): SessionSound | undefined {
    if (!this.#canListen) return undefined;
    return this.#deps
      .sounds()
      .find(
        ({ guess, source, edits }) =>
          isOpenGuess(guess) && edits.kind !== "oneshot" && !this.#heard.has(source),
      );
  }
}
