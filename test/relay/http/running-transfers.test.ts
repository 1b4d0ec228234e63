import { describe, expect, test } from "vitest";
import { smallWav } from "../../wav-bytes.ts";
import { startOnMemory } from "../memory-relay.ts";
import type { RunningRelay } from "../running-relay.ts";
import { silentUpload } from "./silent-upload.ts";
import { storedKeys } from "./stored-keys.ts";
import { soon } from "../../sim/soon.ts";
import { manifestOf } from "../../manifest-of.ts";

const WAV = smallWav();

describe("a running upload", () => {
  const endings: Record<
    string,
    (relay: RunningRelay, token: string, id: string) => Promise<unknown>
  > = {
    "401 TOKEN_UNKNOWN": (relay, token) => relay.call("POST", "/app/unpair", { token }),
    "404 PACKAGE_UNKNOWN": (relay, token, id) => relay.call("DELETE", `/packages/${id}`, { token }),
    "409 NOT_UPLOADING": async (relay, token, id) => {
      await relay.call("PUT", `/packages/${id}/files/a.wav`, { token, body: WAV });
      await relay.call("POST", `/packages/${id}/commit`, { token });
    },
  };
  test.each(Object.entries(endings))(
    "[J9] of a silent sender is answered %s as soon as that is so, and nothing of it stays",
    async (expected, end) => {
      const { relay } = await startOnMemory();
      await using _ = relay;
      const { token } = await relay.paired();
      const call = await silentUpload(relay, token);
      await end(relay, token, call.id);
      const { status, json } = await call.answer;
      expect(`${status} ${json.code}`).toBe(expected);
      const kept = expected === "409 NOT_UPLOADING" ? 1 : 0;
      await soon(async () => (await storedKeys(relay)).length).toBe(kept);
    },
  );

  test("[J9] of a silent sender is answered 409 when its upload window ends", async () => {
    const { relay } = await startOnMemory();
    await using _ = relay;
    const { token } = await relay.paired();
    const call = await silentUpload(relay, token);
    relay.clock.pass(3599.8);
    // Timers don't see that the test moved the clock.
    relay.relay.context.notifier.missed();
    const { status, json } = await call.answer;
    expect([status, json.code]).toEqual([409, "PACKAGE_EXPIRED"]);
    await soon(() => storedKeys(relay)).toEqual([]);
  });

  test("[J9] goes on while other tokens and packages of its app end", async () => {
    const { relay } = await startOnMemory();
    await using _ = relay;
    const { importer, token } = await relay.paired();
    const rival = await relay.pair(importer);
    const call = await silentUpload(relay, token);
    const other = await relay.announce(rival, manifestOf(["b.wav"]));
    await relay.call("DELETE", `/packages/${other.package_id}`, { token: rival });
    await relay.call("POST", "/app/unpair", { token: rival });
    call.write(WAV.subarray(50));
    call.end();
    expect((await call.answer).status).toBe(200);
    expect((await relay.status(token, call.id)).files).toEqual({ "a.wav": "uploaded" });
  });
});
