import { describe, expect, test } from "vitest";
import { smallWav } from "../../wav-bytes.ts";
import { RunningRelay } from "../running-relay.ts";
import { longWav, PartialFile } from "./partial-calls.ts";
import { slowPut } from "./slow-put.ts";
import { storedKeys } from "./stored-keys.ts";
import { soon } from "../../sim/soon.ts";
import { manifestOf } from "../../manifest-of.ts";

const MIB = 1024 * 1024;

describe("an upload", () => {
  test("[U1] from a sender that reads only after writing still gets the answer", async () => {
    await using relay = await RunningRelay.start();
    const { token } = await relay.paired();
    const noise = Buffer.alloc(8 * MIB, 7);
    const { upload } = await relay.announce(token, manifestOf({ "a.wav": noise }));
    const call = slowPut(relay, upload["a.wav"] ?? "", token, { "content-length": noise.length });
    for (let at = 0; at < noise.length; at += MIB) call.write(noise.subarray(at, at + MIB));
    call.end();
    const { status, json } = await call.answer;
    expect([status, json.code]).toEqual([422, "WAV_NOT_RIFF"]);
    expect(await storedKeys(relay)).toEqual([]);
  });

  test("[U5] that is aborted leaves the file missing and stores nothing", async () => {
    await using relay = await RunningRelay.start();
    const { token } = await relay.paired();
    const wav = smallWav();
    const { upload, package_id: id } = await relay.announce(token, manifestOf(["a.wav"]));
    const call = slowPut(relay, upload["a.wav"] ?? "", token, { "content-length": wav.length });
    call.write(wav.subarray(0, 50));
    await soon(() => storedKeys(relay)).not.toEqual([]);
    call.abort();
    await soon(() => storedKeys(relay)).toEqual([]);
    expect((await relay.status(token, id)).files).toEqual({ "a.wav": "missing" });
    expect((await relay.call("GET", "/healthz")).status).toBe(200);
  });

  test("[L4] is refused with 429 if it is a computer's fifth at once", async () => {
    await using relay = await RunningRelay.start();
    const { token } = await relay.paired();
    const files = ["1.wav", "2.wav", "3.wav", "4.wav", "5.wav"];
    const { upload } = await relay.announce(token, manifestOf(files));
    const wav = smallWav();
    const running = files.slice(0, 4).map((file) => slowPut(relay, upload[file] ?? "", token));
    for (const call of running) call.write(wav.subarray(0, 50));
    await soon(async () => (await storedKeys(relay)).length).toBe(4);
    const fifth = await relay.call("PUT", upload["5.wav"] ?? "", { token, body: wav });
    expect([fifth.status, fifth.json.code]).toEqual([429, "UPLOADS_TOO_MANY"]);
    expect(fifth.headers.get("retry-after")).toBe("1");
    for (const call of running) {
      call.write(wav.subarray(50));
      call.end();
      expect((await call.answer).status).toBe(200);
    }
    expect((await relay.call("PUT", upload["5.wav"] ?? "", { token, body: wav })).status).toBe(200);
  });
});

test("[U12] a large sound is judged by its bytes, whole and in parts", async () => {
  await using relay = await RunningRelay.start();
  const wav = longWav(3 * MIB);
  const wrong = wav.with(2 * MIB, wav[0] ?? 0);
  const file = await PartialFile.announce(relay, wav);
  const sendHalves = async (bytes: Uint8Array) => {
    await file.patch(0, MIB, { body: bytes.subarray(0, MIB) });
    return file.patch(MIB, wav.byteLength, { body: bytes.subarray(MIB) });
  };
  for (const refused of [await file.put(wrong), await sendHalves(wrong)]) {
    expect([refused.status, refused.json.code]).toEqual([422, "CHECKSUM_DIFFERS"]);
  }
  expect(await storedKeys(relay)).toEqual([]);
  expect((await sendHalves(wav)).status).toBe(200);
  expect((await file.put()).status).toBe(200);
});

test("[U7] may finish while the relay stops", async () => {
  await using relay = await RunningRelay.start();
  const { token } = await relay.paired();
  const wav = smallWav();
  const { upload, package_id: id } = await relay.announce(token, manifestOf(["a.wav"]));
  const call = slowPut(relay, upload["a.wav"] ?? "", token, { "content-length": wav.length });
  call.write(wav.subarray(0, 50));
  await soon(() => storedKeys(relay)).not.toEqual([]);
  const stopped = relay.stop();
  call.write(wav.subarray(50));
  call.end();
  expect((await call.answer).status).toBe(200);
  await stopped;
  await using again = await RunningRelay.start({ SOUNDFERRY_DATA: relay.folder });
  expect((await again.status(token, id)).files).toEqual({ "a.wav": "uploaded" });
});
