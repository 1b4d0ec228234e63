import { createHash } from "node:crypto";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { openActions } from "../../../relay/operating/administer.ts";
import { readRelaySettings } from "../../../relay/settings.ts";
import { smallWav } from "../../wav-bytes.ts";
import type { RunningRelay } from "../running-relay.ts";
import { openSocket } from "./open-socket.ts";
import { startScaledRelays } from "./scaled-relays.ts";
import { longWav, sendLong } from "./send-long.ts";
import { silentUpload } from "./silent-upload.ts";
import { slowGet } from "./slow-get.ts";
import { soon } from "../../sim/soon.ts";
import { manifestOf } from "../../manifest-of.ts";

// An operator decides with a program beside the relays, which hear of it through PostgreSQL.

const WAV = smallWav();

/** Two relays, and an operator's hand on their stores. */
async function operated(more: Record<string, string> = {}) {
  const started = await startScaledRelays(2, more);
  onTestFinished(() => started[Symbol.asyncDispose]());
  const settings = readRelaySettings({ environment: started.settings });
  const actions = await openActions(settings, { who: "anna" });
  onTestFinished(() => actions[Symbol.asyncDispose]());
  const [first, second] = started.relays as [RunningRelay, RunningRelay];
  return { first, second, actions };
}

test("[AD1][AD4][SC8] a blocked device is refused at every relay: calls, polls, sockets, uploads and downloads", async () => {
  const { first, second, actions } = await operated();
  const { importer, token } = await first.paired();
  const id = await sendLong(first, token);
  const sockets = await Promise.all(
    [first, second].map((relay) => openSocket(relay, importer.token)),
  );
  const closed = sockets.map((socket) => once(socket, "close"));
  const path = `/importer/packages/${id}/files/long.wav`;
  const download = await slowGet(second, path, importer.token);
  const poll = second.call("GET", `/packages/${id}/status?wait=30`, { token });
  const upload = await silentUpload(first, token);

  expect(await actions.block({ subject: importer.deviceId, kind: "device" }, true)).toBe(true);
  expect((await Promise.all(closed)).map(([code]) => code)).toEqual([4403, 4403]);
  expect((await upload.answer).json.code).toBe("DEVICE_BLOCKED");
  expect((await poll).json.code).toBe("DEVICE_BLOCKED");
  const { isWhole, sizeBytes } = await download.rest();
  expect(isWhole).toBe(false);
  expect(sizeBytes).toBeLessThan(longWav().length);
  const codesOf = () =>
    Promise.all(
      [first, second].map(
        async (relay) => (await relay.call("GET", "/app/me", { token })).json.code,
      ),
    );
  await soon(codesOf).toEqual(["DEVICE_BLOCKED", "DEVICE_BLOCKED"]);
  await actions.block({ subject: importer.deviceId, kind: "device" }, false);
  await soon(codesOf).toEqual([undefined, undefined]);
});

test("[AD1][AD3][SC8] a blocked address is refused at every relay", async () => {
  const { first, second, actions } = await operated({ SOUNDFERRY_TRUST_PROXY: "127.0.0.1" });
  const { token } = await first.paired();
  const from = { "x-forwarded-for": "203.0.113.9" };
  const upload = await silentUpload(first, token, from);
  await actions.block({ subject: "203.0.113.0/24", kind: "address" }, true);
  expect((await upload.answer).json.code).toBe("ADDRESS_BLOCKED");
  const codeOf = async () =>
    (await second.call("GET", "/app/me", { token, headers: from })).json.code;
  await soon(codeOf).toBe("ADDRESS_BLOCKED");
});

test("[AD1][AD5][SC8] a denied sound is refused at every relay, and its running upload ends", async () => {
  const { first, second, actions } = await operated();
  const { token } = await first.paired();
  const running = await silentUpload(second, token);
  await actions.deny(createHash("sha256").update(WAV).digest("hex"));
  const answer = await running.answer;
  expect([answer.status, answer.json.code]).toEqual([422, "SOUND_DENIED"]);
  for (const relay of [first, second]) {
    const announce = async () =>
      (await relay.call("POST", "/packages", { token, body: manifestOf(["a.wav"]) })).json.code;
    await soon(announce).toBe("SOUND_DENIED");
  }
});
