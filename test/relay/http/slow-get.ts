import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { finished } from "node:stream/promises";
import type { RunningRelay } from "../running-relay.ts";

/** A GET whose answer the test reads when it likes. */
export async function slowGet(relay: RunningRelay, path: string, token: string) {
  const call = get(relay.url + path, { headers: { authorization: `Bearer ${token}` } });
  call.on("error", () => undefined);
  const [response]: IncomingMessage[] = await once(call, "response");
  if (response === undefined) throw new Error("A response has come.");
  return {
    status: response.statusCode,
    abort: () => void call.destroy(),
    /** Reads the rest; says whether it was whole, and how many bytes came. */
    rest: async () => {
      let sizeBytes = 0;
      response.on("data", (piece: Uint8Array) => (sizeBytes += piece.byteLength));
      const isWhole = await finished(response).then(
        () => true,
        () => false,
      );
      return { isWhole, sizeBytes };
    },
  };
}
