import { refusal } from "../../core/protocol/refusal.ts";

/** Counts each device's running uploads in this process, so that no device starves the others (rule L4). */
export class RunningUploads {
  readonly #max: number;
  readonly #running = new Map<string, number>();

  /** @param max concurrent uploads per device */
  constructor(max: number) {
    this.#max = max;
  }

  /** Counts one upload until the returned function is called. @throws {Refusal} 429 UPLOADS_TOO_MANY */
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
