import { type Heard, NOTHING_HEARD } from "../../core/audio/listening/heard.ts";
import { listen } from "../../core/audio/listening/listen.ts";
import type { WavHeader } from "../../core/audio/wav-header.ts";
import { isWorkerPort, type WorkerPort } from "./worker-port.ts";

// The listening Worker receives WAVs and answers with what it heard, one after another.

/** A WAV to listen to. */
export interface ToListen {
  readonly wav: Blob;
  readonly header: WavHeader;
}

/** A message from the Worker. */
export type FromListening =
  | { readonly kind: "ready" }
  | { readonly kind: "heard"; readonly heard: Heard };

const scope: object = globalThis;
if (isWorkerPort<FromListening, ToListen>(scope)) serve(scope);

function serve(port: WorkerPort<FromListening, ToListen>): void {
  port.addEventListener("message", ({ data: { wav, header } }) => {
    const readAt = async (offset: number, length: number) =>
      new Uint8Array(await wav.slice(offset, offset + length).arrayBuffer());
    void listen(readAt, header).then(
      (heard) => port.postMessage({ kind: "heard", heard }),
      // A file that can't be read any more says nothing; sending it reports that.
      () => port.postMessage({ kind: "heard", heard: NOTHING_HEARD }),
    );
  });
  port.postMessage({ kind: "ready" });
}
