import {
  committed,
  insert,
  packageOf,
  updated,
} from "../../contracts/relay/records/sample-records.ts";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sweep } from "../../../relay/domain/upkeep/sweep.ts";
import { buildRelay, type Relay } from "../../../relay/build-relay.ts";
import { readRelaySettings } from "../../../relay/settings.ts";
import { systemClock } from "../../../relay/storage/system.ts";
import { timed } from "../bench-result.ts";
import { answerCalls } from "./answer-calls.ts";
import { type Filling, makeSoundFiles, prefixOf } from "./sound-folders.ts";

const DAY_MS = 86_400_000;
const WRITERS = 5000;

let relay: Relay | undefined;
let round = 0;
/** Passes a day more for each round, so that its packages expire. */
const now = () => systemClock.now() + round * DAY_MS;
const clock = { now, confirmedNow: now };

export const sweepCalls = {
  start: async ({ dataFolder }: { readonly dataFolder: string }) => {
    const flags = {
      SOUNDFERRY_PORT: "0",
      SOUNDFERRY_DATA: dataFolder,
      SOUNDFERRY_CALLS_PER_MINUTE: "100000000",
      SOUNDFERRY_MIN_FREE_BYTES: "0",
      // The package that is asked about stays, and so do the records.
      SOUNDFERRY_STATUS_WINDOW_S: String(365 * 86_400),
      SOUNDFERRY_UPLOAD_WINDOW_S: String(365 * 86_400),
    };
    const settings = readRelaySettings({ flags, environment: {} });
    relay = await buildRelay(settings, { ports: { clock } });
    return relay.listen();
  },
  /** Stores so many packages of one file each for every round, which wait until then. */
  fill: async ({ dataFolder, count, rounds }: Filling) => {
    const [deviceId = ""] = await (await opened()).pairings.listDevices({ unseenSince: Infinity });
    for (let day = 0; day < rounds; day += 1) {
      const keys = makeSoundFiles(join(dataFolder, "sounds"), prefixOf(day), count).values();
      const store = async () => {
        for (const key of keys) await storeWaiting(deviceId, key, clock.now() + day * DAY_MS);
      };
      await Promise.all(Array.from({ length: WRITERS }, store));
    }
  },
  /** Expires those of the next round. Returns how many a second were struck off, with no file and no folder left. */
  sweep: async ({ dataFolder, count }: { readonly dataFolder: string; readonly count: number }) => {
    const context = await opened();
    const prefix = prefixOf(round);
    round += 1;
    const ms = await timed(() => sweep(context));
    const folders = await readdir(join(dataFolder, "sounds"));
    const doomed = await context.soundKeys.list({ state: "doomed", limit: 1 });
    const isLeft = doomed.length > 0 || folders.some((name) => name.startsWith(prefix));
    if (isLeft) throw new Error("Some folders or keys are left.");
    return (count * 1000) / ms;
  },
};
export type SweepCalls = typeof sweepCalls;

async function opened(): Promise<Relay["context"]> {
  if (relay === undefined) throw new Error("The relay isn't started.");
  return relay.context;
}

async function storeWaiting(deviceId: string, key: string, now: number): Promise<void> {
  const { packages, soundKeys } = await opened();
  const [packageId = ""] = key.split("/");
  const record = packageOf(packageId, { deviceId, createdAt: now, sizes: [1024], room: null });
  const { kind } = await insert({ packages }, record);
  if (kind !== "inserted") throw new Error(`${packageId} was answered ${kind}.`);
  await soundKeys.addPending(key, now + DAY_MS);
  await updated({ packages }, committed(record, now));
}

answerCalls(sweepCalls);
