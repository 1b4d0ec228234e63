import { expect, test } from "vitest";
import { StoreFullError } from "../../../relay/domain/ports.ts";
import { DiskSoundStore } from "../../../relay/storage/disk/disk-sound-store.ts";
import { SqliteDatabase } from "../../../relay/storage/sqlite/sqlite-database.ts";
import { smallWav } from "../../wav-bytes.ts";
import { RunningRelay } from "../running-relay.ts";
import { temporaryFolder } from "../storage/sqlite/open-sqlite.ts";
import { slowPut } from "./slow-put.ts";
import { storedKeys } from "./stored-keys.ts";
import { soon } from "../../sim/soon.ts";
import { manifestOf } from "../../manifest-of.ts";

const REFUSED = { status: 507, code: "DISK_FULL", retryAfter: "60" };

/** A relay whose database says that its disk is full when the test tells it to, and has no room from then on. */
async function startOnFullDisk() {
  const folder = await temporaryFolder();
  const records = await SqliteDatabase.open(folder.path, { minFreeBytes: 2 ** 60 });
  const relay = await RunningRelay.start({}, { ports: { records } });
  return {
    relay,
    fill: () => records.ballast.noteFull(),
    empty: async () => {
      records.ballast.refill = async () => true;
      await relay.sweep();
    },
    [Symbol.asyncDispose]: async () => {
      await relay[Symbol.asyncDispose]();
      await records[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function brief(relay: RunningRelay, ...call: Parameters<RunningRelay["call"]>) {
  const { status, headers, json } = await relay.call(...call);
  return { status, code: json.code, retryAfter: headers.get("retry-after") };
}

test("[Z7] when the disk is full, running uploads end with 507, and what needs room is refused until there is some", async () => {
  await using disk = await startOnFullDisk();
  const { relay } = disk;
  const { importer, token } = await relay.paired();
  const waiting = await relay.send(token);
  const { upload, package_id: id } = await relay.announce(token, manifestOf(["a.wav"]));
  const path = upload["a.wav"] ?? "";
  const wav = smallWav();
  const running = slowPut(relay, path, token, { "content-length": wav.length });
  running.write(wav.subarray(0, 50));
  await soon(async () => (await storedKeys(relay)).length).toBe(2);

  disk.fill();
  expect(await running.answer).toMatchObject({ status: 507, json: { code: "DISK_FULL" } });
  running.abort();
  await soon(async () => (await storedKeys(relay)).length).toBe(1);
  const announce = () => brief(relay, "POST", "/packages", { token, body: manifestOf(["b.wav"]) });
  const put = () => brief(relay, "PUT", path, { token, body: wav });
  expect(await announce()).toEqual(REFUSED);
  expect(await put()).toEqual(REFUSED);
  const take = await relay.call("POST", `/importer/packages/${waiting}/take`, {
    token: importer.token,
  });
  expect(take.status).toBe(200);
  expect((await relay.call("GET", "/readyz")).json).toEqual({
    status: "ready",
    degraded: "full",
    notices: [expect.stringContaining("The disk is full.")],
  });

  await disk.empty();
  expect(await put()).toMatchObject({ status: 200 });
  expect(await brief(relay, "POST", `/packages/${id}/commit`, { token })).toMatchObject({
    status: 200,
  });
  expect(await announce()).toMatchObject({ status: 201 });
  expect((await relay.call("GET", "/readyz")).json).toEqual({ status: "ready", notices: [] });
});

test("[K4] a relay whose disk takes no change at all isn't ready, and says why", async () => {
  await using disk = await startOnFullDisk();
  const { upkeep } = disk.relay.relay.context;
  if (upkeep === undefined) throw new Error("SQLite has its upkeep.");
  upkeep.tryChange = () => Promise.reject(new StoreFullError("full"));
  disk.fill();
  const { status, headers, json } = await disk.relay.call("GET", "/readyz");
  expect([status, json.code, json.reason]).toEqual([503, "NOT_READY", "full"]);
  expect(headers.get("retry-after")).toBe("5");
  expect(json.notices).toContain("Nothing can be saved: the disk is full. Free some space.");
});

test("[Z7][K4] with only the space left that must stay free, the relay says so, and accepts what was announced", async () => {
  await using folder = await temporaryFolder();
  const sounds = await DiskSoundStore.open(folder.path);
  let room = 2_000_000;
  sounds.room = async () => room;
  await using relay = await RunningRelay.start(
    { SOUNDFERRY_DATA: folder.path, SOUNDFERRY_MIN_FREE_BYTES: "1000000" },
    { ports: { sounds } },
  );
  const { token } = await relay.paired();
  const ready = async () => (await relay.call("GET", "/readyz")).json;
  const announce = () => brief(relay, "POST", "/packages", { token, body: manifestOf(["b.wav"]) });
  const { upload } = await relay.announce(token, manifestOf(["a.wav"]));
  expect(await ready()).toEqual({ status: "ready", notices: [] });
  room = 1_000_000;
  const notices = [expect.stringContaining("SOUNDFERRY_MIN_FREE_BYTES")];
  expect(await ready()).toEqual({ status: "ready", degraded: "full", notices });
  expect(await announce()).toEqual(REFUSED);
  const body = smallWav();
  const put = await relay.call("PUT", upload["a.wav"] ?? "", { token, body });
  expect(put.status).toBe(200);
  room = 2_000_000;
  expect(await ready()).toEqual({ status: "ready", notices: [] });
  expect(await announce()).toMatchObject({ status: 201 });
});
