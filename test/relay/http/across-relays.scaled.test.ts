import { describe, expect, test } from "vitest";
import { FOLLOWS_HEADER, FOLLOWS_REDIRECT } from "../../../core/protocol/importer-api.ts";
import { smallWav } from "../../wav-bytes.ts";
import { linkTo } from "../../addon/relay/linked-client.ts";
import { otherProcessCases } from "./other-process-cases.ts";
import { longWav, PartialFile } from "./partial-calls.ts";
import { startScaledRelays, twoOnPostgres } from "./scaled-relays.ts";
import { storedKeys } from "./stored-keys.ts";
import type { RunningRelay } from "../running-relay.ts";
import { soon } from "../../sim/soon.ts";

const MIB = 1024 ** 2;

describe("what another process changes, in PostgreSQL", () => otherProcessCases(twoOnPostgres));

test("[P13] a claim whose answer one relay lost is repeated at another", async () => {
  await using started = await startScaledRelays(2);
  const [first, second] = started.relays as [RunningRelay, RunningRelay];
  const importer = await first.register();
  const { json } = await first.call("POST", "/importer/pairing-code", { token: importer.token });
  const body = { code: json.code, app_name: "Looper", app_id: "app-1" };
  const claim = (relay: RunningRelay, key: string) =>
    relay.call("POST", "/pair/claim", { body, headers: { "idempotency-key": key } });
  const lost = (await claim(first, "one")).json.app_token;
  const me = async (relay: RunningRelay, token: string) =>
    (await relay.call("GET", "/app/me", { token })).status;
  expect(await me(first, lost)).toBe(200);
  expect((await claim(second, "another")).status).toBe(404);
  const { app_token: token } = (await claim(second, "one")).json;
  expect([await me(first, token), await me(second, token)]).toEqual([200, 200]);
  await soon(() => me(first, lost)).toBe(401);
});

test("[SC10][U10] a file that came in parts at one relay is continued and finished at another", async () => {
  await using started = await startScaledRelays(2);
  const [first, second] = started.relays as [RunningRelay, RunningRelay];
  const file = await PartialFile.announce(first, longWav(MIB));
  expect((await file.patch(0, 300_000)).status).toBe(204);
  const there = file.at(second);
  expect(await there.offset()).toBe("204 300000 ?0");
  expect((await there.patch(300_000, 700_000)).status).toBe(204);
  expect(await file.offset()).toBe("204 700000 ?0");
  expect((await file.patch(700_000)).status).toBe(200);
  const commit = `/packages/${file.packageId}/commit`;
  expect((await second.call("POST", commit, { token: file.token })).status).toBe(200);
});

test("[SC10][U10] a call at another relay ends the one that runs, and goes on where that stopped", async () => {
  await using started = await startScaledRelays(2);
  const [first, second] = started.relays as [RunningRelay, RunningRelay];
  const file = await PartialFile.announce(first, longWav(MIB));
  const slow = file.slowPatch(0);
  slow.write(file.wav.subarray(0, 200_000));
  await soon(() => storedKeys(first)).toHaveLength(1);
  const { headers } = await file.at(second).head();
  const offset = Number(headers.get("upload-offset"));
  expect((await slow.answer).status).toBe(409);
  expect(offset).toBeLessThanOrEqual(200_000);
  expect((await file.at(second).patch(offset)).status).toBe(200);
  slow.abort();
});

test("[SC15] an importer is sent to the bucket, and gets the sound there without its token", async () => {
  await using started = await startScaledRelays(1, { SOUNDFERRY_S3_PRESIGN_DOWNLOADS: "on" });
  const [relay] = started.relays as [RunningRelay];
  const { importer, token } = await relay.paired();
  const id = await relay.send(token, ["a.wav"]);
  const path = `${relay.url}/importer/packages/${id}/files/a.wav`;
  const authorization = `Bearer ${importer.token}`;
  const sent = await fetch(path, {
    headers: { authorization, [FOLLOWS_HEADER]: FOLLOWS_REDIRECT },
    redirect: "manual",
  });
  expect(sent.status).toBe(307);
  expect(sent.headers.get("cache-control")).toBe("no-store");
  const address = sent.headers.get("location") ?? "";
  const got = await fetch(address, { headers: { range: "bytes=44-" } });
  expect(got.status).toBe(206);
  expect(new Uint8Array(await got.arrayBuffer())).toEqual(new Uint8Array(smallWav().subarray(44)));
  const plain = await fetch(path, { headers: { authorization }, redirect: "manual" });
  expect(plain.status).toBe(200);
  expect(new Uint8Array(await plain.arrayBuffer())).toEqual(new Uint8Array(smallWav()));
  const forged = new URL(address);
  forged.searchParams.set("X-Amz-Expires", "3600");
  expect((await fetch(forged)).status).toBe(403);
});

test("[SC15] the importer itself follows, from any byte on", async () => {
  await using started = await startScaledRelays(1, { SOUNDFERRY_S3_PRESIGN_DOWNLOADS: "on" });
  const [relay] = started.relays as [RunningRelay];
  const { client } = linkTo(relay.url);
  const { code } = await client.pairingCode();
  const claim = { code, app_name: "Looper", app_id: "app-1" };
  const { json } = await relay.call("POST", "/pair/claim", { body: claim });
  const id = await relay.send(json.app_token, ["a.wav"]);
  const { signal } = new AbortController();
  const path = `/importer/packages/${id}/files/a.wav`;
  const { startByte, body } = await client.openFile(path, { startByte: 44, signal });
  expect(startByte).toBe(44);
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  expect(Buffer.concat(pieces)).toEqual(Buffer.from(smallWav().subarray(44)));
  const answered = relay.logLines
    .map((line) => JSON.parse(line))
    .filter((line) => line.path === `/importer/packages/${id}/files/*`);
  expect(answered.map(({ status }) => status)).toEqual([307]);
});
