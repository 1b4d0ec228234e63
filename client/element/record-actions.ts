import { MAX_PACKAGE_BYTES } from "../../core/limits.ts";
import type { Recorder } from "../audio/recorder.ts";
import { formatMicrophone } from "../send/words/explain.ts";
import type { ElementDeps } from "./element-view.ts";
import { bytesOf, loadAudio, type SoundActions } from "./sound-actions.ts";

/** Interval at which length and level are shown. */
const INTERVAL_MS = 100;

/** Records from the microphone and adds each recording as a sound. No method rejects. */
export class RecordActions {
  readonly #deps: ElementDeps;
  readonly #sounds: SoundActions;
  #recorder: Recorder | null = null;
  #timer: ReturnType<typeof setInterval> | undefined;
  #count = 0;

  constructor(deps: ElementDeps, sounds: SoundActions) {
    this.#deps = deps;
    this.#sounds = sounds;
  }

  /** Starts a recording, or ends the running one. */
  async toggle(): Promise<void> {
    await (this.#deps.store.view.recording === null ? this.#start() : this.stop());
  }

  /** Ends the recording and adds it to the sounds. */
  async stop(): Promise<void> {
    const { store, t } = this.#deps;
    const recorder = this.#release();
    if (recorder === null) return;
    const { wav, lostSeconds } = await recorder.stop();
    store.change({ recording: null });
    this.#count += 1;
    const name = t("page.recordingName", { number: String(this.#count) });
    await this.#sounds.add([{ source: new File([wav], `${name}.wav`, { type: wav.type }) }]);
    if (lostSeconds > 0) store.change({ errors: [t("page.recordingGap")] });
  }

  /** Releases the microphone and discards the recording. */
  cancel(): void {
    this.#release()?.cancel();
    this.#deps.store.change({ recording: null });
  }

  async #start(): Promise<void> {
    const { store, t, emit } = this.#deps;
    store.change({ recording: { seconds: 0, level: 0 }, errors: [], sent: null });
    try {
      const { Recorder } = await loadAudio();
      this.#recorder = await Recorder.start(() => void this.stop());
      this.#timer = setInterval(() => this.#show(), INTERVAL_MS);
      store.change({ announcement: t("page.recordingStarted") });
    } catch (error) {
      store.change({ recording: null, errors: [formatMicrophone(t, error)] });
      emit("error", { error });
    }
  }

  #release(): Recorder | null {
    const recorder = this.#recorder;
    this.#recorder = null;
    clearInterval(this.#timer);
    return recorder;
  }

  #show(): void {
    const { store } = this.#deps;
    const recorder = this.#recorder;
    if (recorder === null) return;
    store.change({ recording: { seconds: recorder.seconds, level: recorder.level() } });
    // An eighth of the room is left for one more block.
    const room = (MAX_PACKAGE_BYTES * 7) / 8;
    if (bytesOf(store.view.sounds) + recorder.sizeBytes > room) void this.stop();
  }
}
