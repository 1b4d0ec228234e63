import { expect, test } from "vitest";
import { smallWav } from "../../wav-bytes.ts";
import { RunningRelay } from "../running-relay.ts";
import { itemOf, manifestOf } from "../../manifest-of.ts";

const BAD = { schema: "app2host/1", items: [{ file: "a.wav" }, null] };

test("[E3] every 422 of an announcement lists its problems, at least the one", async () => {
  await using relay = await RunningRelay.start();
  const { token } = await relay.paired();
  const announce = (body: object | string, key?: string) =>
    relay.call("POST", "/packages", {
      token,
      body,
      ...(key !== undefined && { headers: { "idempotency-key": key } }),
    });
  const codes = async (answer: ReturnType<typeof announce>) => {
    const { status, json } = await answer;
    expect(status).toBe(422);
    const { problems, ...own } = json;
    expect(problems[0]).toEqual(own);
    return problems.map(({ code }: { code: string }) => code);
  };
  expect(await codes(announce(BAD))).toEqual(["BYTES_WRONG", "SHA256_WRONG", "ITEM_NOT_OBJECT"]);
  expect(await codes(announce("[]"))).toEqual(["MANIFEST_NOT_OBJECT"]);
  expect(await codes(announce("[".repeat(300) + "]".repeat(300)))).toEqual(["JSON_TOO_COMPLEX"]);
  expect(await codes(announce(BAD, "k".repeat(201)))).toEqual(["IDEMPOTENCY_KEY_WRONG"]);
  await announce(manifestOf(["a.wav"]), "key");
  expect(await codes(announce(BAD, "key"))).toEqual(["IDEMPOTENCY_KEY_REUSED"]);
});

test("[E3] the refusal of an upload says which sound it is, and which field is wrong", async () => {
  await using relay = await RunningRelay.start();
  const { token } = await relay.paired();
  const wav = smallWav();
  const mp3 = Buffer.alloc(200, "MP3 ");
  const sounds = [itemOf("a.wav", wav), { ...itemOf("b.wav", mp3), id: "kick" }];
  const manifest = { schema: "app2host/1", items: sounds };
  const { package_id: id } = await relay.announce(token, manifest);
  const put = async (file: string, body: Uint8Array) => {
    const sent = { token, body: new Uint8Array(body) };
    const { error, ...about } = (await relay.call("PUT", `/packages/${id}/files/${file}`, sent))
      .json;
    expect(error).toContain(file);
    return about;
  };
  const first = { sound: "1", file: "a.wav", position: 1 };
  const shorter = { code: "SIZE_DIFFERS", ...first, field: "bytes" };
  expect(await put("a.wav", wav.subarray(1))).toEqual(shorter);
  const other = { code: "CHECKSUM_DIFFERS", ...first, field: "sha256" };
  expect(await put("a.wav", smallWav({ fill: 9 }))).toEqual(other);
  const notWav = { code: "WAV_NOT_RIFF", sound: "kick", file: "b.wav", position: 2 };
  expect(await put("b.wav", mp3)).toEqual(notWav);
  expect(await put("c.wav", wav)).toEqual({ code: "FILE_UNKNOWN", file: "c.wav" });
});
