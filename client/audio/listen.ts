import type { Heard } from "../../core/audio/listening/heard.ts";
import type { WavHeader } from "../../core/audio/wav-header.ts";
import { LISTENING_SCRIPT } from "../parts/listening-script.ts";
import type { FromListening } from "../parts/listening-worker.ts";
import { nextMessage, startWorker } from "../parts/worker-port.ts";

/**
 * Listens to a sound in a Worker: is it a loop, and at what tempo (rule Y10)? Give what it heard to `guess`.
 * @param wav as `convert` gives it, with its header
 * @param workerUrl address of the Worker's script; default: a Blob
 * @returns null if no Worker can run here, such as in Node or where a content policy forbids it
 */
export async function listen(
  wav: Blob,
  header: WavHeader,
  workerUrl?: string,
): Promise<Heard | null> {
  const port = await startWorker<FromListening>(LISTENING_SCRIPT, workerUrl);
  if (port === undefined) return null;
  const answer = nextMessage(port, () => false, undefined);
  port.postMessage({ wav, header });
  const last = await answer;
  port.terminate();
  return last.kind === "heard" ? last.heard : null;
}
