import { onTestFinished } from "vitest";
import { smallWav } from "../../wav-bytes.ts";
import type { RunningRelay } from "../running-relay.ts";
import { slowPut } from "./slow-put.ts";
import { storedKeys } from "./stored-keys.ts";
import { soon } from "../../sim/soon.ts";
import { manifestOf } from "../../manifest-of.ts";

/** An upload of `a.wav`, and its package, whose sender is silent after 50 bytes. It is over with the test. */
export async function silentUpload(
  relay: RunningRelay,
  token: string,
  headers: Readonly<Record<string, string>> = {},
) {
  const wav = smallWav();
  const { upload, package_id: id } = await relay.announce(token, manifestOf(["a.wav"]));
  const before = (await storedKeys(relay)).length;
  const call = slowPut(relay, upload["a.wav"] ?? "", token, {
    "content-length": wav.length,
    ...headers,
  });
  onTestFinished(() => call.abort());
  call.write(wav.subarray(0, 50));
  await soon(() => storedKeys(relay)).toHaveLength(before + 1);
  return Object.assign(call, { id });
}
