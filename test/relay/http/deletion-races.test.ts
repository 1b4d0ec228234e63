import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RANDOM_SEED } from "../../runner/random-seed.ts";
import { DELETIONS, raceUploads } from "../../sim/race-uploads.ts";
import { soon } from "../../sim/soon.ts";
import { RunningRelay } from "../running-relay.ts";

const ROUNDS = 6;

test("[Z15] in rounds over sockets, uploads that lose their package are refused and leave nothing", async () => {
  await using relay = await RunningRelay.start({ SOUNDFERRY_TRUST_PROXY: "127.0.0.1" });
  const races = await raceUploads(relay, { rounds: ROUNDS, seed: RANDOM_SEED, site: 0x10 });
  const count = ROUNDS * Object.keys(DELETIONS).length;
  expect(races).toMatchObject({ uploads: 4 * count, wrong: [], zeroOffsets: 0, undeleted: 0 });
  const { soundKeys, packages, clock } = relay.relay.context;
  const keys = async () => [
    ...(await soundKeys.list({ state: "doomed", limit: 9 })),
    ...(await soundKeys.list({ state: "pending", endedBy: Number.MAX_SAFE_INTEGER, limit: 9 })),
  ];
  await soon(keys).toEqual([]);
  expect(await packages.count(clock.now())).toMatchObject({ reservedBytes: 0 });
  const names = await readdir(join(relay.folder, "sounds"), { recursive: true });
  expect(names.filter((name) => name !== "instance")).toEqual([]);
});
