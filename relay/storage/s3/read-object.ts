import type { Readable } from "node:stream";
import { StoreTroubleError } from "../../domain/ports.ts";

/**
 * The pieces of an answer. Ends its connection when the reader stops early, and when the service is silent for
 * too long; how long the reader takes is its own matter.
 */
export async function* readObject(body: Readable, idleMs: number): AsyncGenerator<Uint8Array> {
  const pieces: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  const giveUp = () =>
    body.destroy(Object.assign(new Error("The rest didn't come in time."), { code: "ETIMEDOUT" }));
  try {
    for (;;) {
      const timer = setTimeout(giveUp, idleMs);
      const next = await pieces.next().finally(() => clearTimeout(timer));
      if (next.done === true) return;
      yield next.value;
    }
  } catch (error) {
    const sentence = "The service ended in the midst of a sound.";
    throw new StoreTroubleError(sentence, { code: codeOf(error), cause: error });
  } finally {
    body.destroy();
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "EPROTO";
}
