import { request } from "node:http";
import { expect, test } from "vitest";
import { INTEROP, longWav, partBytes, partHeaders } from "../http/partial-calls.ts";
import { manifestOf } from "../../manifest-of.ts";
import { App } from "../../sim/app.ts";
import { worldOf } from "../../sim/world.ts";
import { KillableRelay } from "../../sim/killable-relay.ts";
import { soon } from "../../sim/soon.ts";

const MIB = 1024 ** 2;
const KILLS = 20;

test("[U10] a relay that is killed 20 times in an upload has it in the end, with at most 1.1 times the bytes sent", async () => {
  await using relay = await KillableRelay.start();
  const wav = longWav(200 * 1_000_000 - 44);
  const { path, token } = await announce(relay, wav);
  let sent = 0;
  let offset = 0;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const end = Math.floor((wav.byteLength * kill) / (KILLS + 1));
    sent += await sendUntilKilled(relay, { path, token, wav, offset, end });
    await relay.restart();
    const answered = await offsetOf(relay, path, token);
    expect(answered).toBeGreaterThanOrEqual(offset);
    offset = answered;
    if (kill % 5 > 0) continue;
    // What was answered stays, also when nothing more comes.
    await relay.kill();
    await relay.restart();
    expect(await offsetOf(relay, path, token)).toBeGreaterThanOrEqual(offset);
  }
  const rest = wav.subarray(offset);
  sent += rest.byteLength;
  const headers = partHeaders(offset, "?1");
  const { status } = await relay.call("PATCH", path, { token, body: rest, headers });
  expect(status).toBe(200);
  expect(sent / wav.byteLength).toBeLessThanOrEqual(1.1);
}, 600_000);

async function announce(relay: KillableRelay, wav: Uint8Array) {
  const { facts } = await App.paired(worldOf(relay));
  const body = manifestOf({ "a.wav": wav });
  const { json } = await relay.call("POST", "/packages", { token: facts.app, body });
  return { path: String(json.upload["a.wav"]), token: facts.app ?? "" };
}

async function offsetOf(relay: KillableRelay, path: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, ...INTEROP };
  const answer = await fetch(relay.url + path, { method: "HEAD", headers });
  expect(answer.status).toBe(204);
  return Number(answer.headers.get("upload-offset"));
}

interface Sending {
  readonly path: string;
  readonly token: string;
  readonly wav: Uint8Array;
  readonly offset: number;
  /** Offset at which the relay is killed. */
  readonly end: number;
}

/** Appends until the relay has read that much, and kills it. Returns how many bytes it read. */
async function sendUntilKilled(
  relay: KillableRelay,
  { path, token, wav, offset, end }: Sending,
): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, ...partHeaders(offset, "?1") };
  const call = request(relay.url + path, { method: "PATCH", headers });
  call.on("error", () => undefined);
  for (let at = offset; at < end; at += MIB) {
    const piece = wav.subarray(at, Math.min(end, at + MIB));
    await new Promise((resolve) => {
      call.write(piece, resolve);
    });
  }
  // What is still in the system's buffers would depend on the machine. So it waits until the disk has all but what the
  // relay collects for its next write.
  await soon(() => partBytes(relay)).toBeGreaterThan(end - MIB / 2);
  await relay.kill();
  call.destroy();
  return Math.max(0, end - offset);
}
