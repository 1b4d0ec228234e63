import { smallWav } from "../../wav-bytes.ts";
import type { RunningRelay } from "../running-relay.ts";
import { manifestOf } from "../../manifest-of.ts";

let wav: Buffer | undefined;

/** A sound with more bytes than the buffers of both ends of a connection hold. */
export function longWav(): Buffer {
  return (wav ??= smallWav({ frames: 8_000_000 }));
}

/** Sends a package with `long.wav`; gives its id. */
export async function sendLong(relay: RunningRelay, token: string): Promise<string> {
  const { upload, package_id: id } = await relay.announce(
    token,
    manifestOf({ "long.wav": longWav() }),
  );
  await relay.call("PUT", upload["long.wav"] ?? "", { token, body: longWav() });
  await relay.call("POST", `/packages/${id}/commit`, { token });
  return id;
}
