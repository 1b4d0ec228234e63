import { refusal } from "../../core/protocol/refusal.ts";

/** Counts the uploads that run for each device in this process, so that one can't crowd out all (rule L4). */
export class RunningUploads {
  readonly #max: number;
  readonly #running = new Map<string, number>();

  /** @param max uploads at once for one device */
  constructor(max: number) {
    this.#max = max;
  }

  /** Counts one upload until the given function is called. @throws {Refusal} 429 UPLOADS_TOO_MANY */
  enter(deviceId: string): () => void {
    const running = this.#running.get(deviceId) ?? 0;
    if (running >= this.#max) {
      throw refusal("UPLOADS_TOO_MANY", { max: this.#max }, { retryAfterSeconds: 1 });
    }
    this.#running.set(deviceId, running + 1);
    return () => {
      const left = (this.#running.get(deviceId) ?? 1) - 1;
      if (left > 0) this.#running.set(deviceId, left);
      else this.#running.delete(deviceId);
    };
  }
}
