import { expect, test } from "vitest";
import { DISMISSED } from "../../../core/protocol/package-status.ts";
import type { PackageRecord } from "../../../relay/domain/ports.ts";
import { storyOf } from "../../../relay/operating/package-story.ts";
import {
  committed,
  DAY,
  HOUR,
  MINUTE,
  packageOf,
  T0,
  uploaded,
} from "../../contracts/relay/records/sample-records.ts";

const DEVICE = {
  device_id: "device-1",
  device_name: "Studio",
  last_seen_at: new Date(T0).toISOString(),
  connected: false,
  blocked: false,
  revoked: false,
  bytes_quota: null,
  waiting_quota: null,
};

function tell(record: PackageRecord, more: Partial<Parameters<typeof storyOf>[0]> = {}) {
  return storyOf({
    record,
    arrivals: new Map(),
    partials: new Map(),
    seenAt: null,
    denied: new Set(),
    pairingId: "pair_1",
    device: DEVICE,
    now: T0 + MINUTE,
    ...more,
  });
}

const ANNOUNCED = packageOf("pkg_1", { sizes: [100, 20] });
const WAITING = committed(ANNOUNCED, T0);
const HELD = { ...WAITING.life, lease: { runId: "r", endsAt: T0 + HOUR } };
const REPORTED = { ...WAITING.life, outcome: "failed" as const };

test.each<[string, PackageRecord, Partial<Parameters<typeof storyOf>[0]>, string]>([
  ["is unfinished", ANNOUNCED, {}, "2 files of 2 missing: sound 1.wav, sound 2.wav."],
  ["is not committed", uploaded(ANNOUNCED), {}, "the app has not committed"],
  ["was never finished", ANNOUNCED, { now: T0 + DAY }, "did not finish sending in time"],
  ["is new", WAITING, {}, "has not listed it. It is not connected now."],
  ["is new", WAITING, { device: { ...DEVICE, connected: true } }, "It was connected a moment ago."],
  ["is listed", WAITING, { seenAt: T0 }, "Nobody has imported it."],
  ["is held", { ...WAITING, life: HELD, takenAt: T0 }, {}, "An import is running."],
  ["was held", { ...WAITING, takenAt: T0 }, { seenAt: T0 }, "An import began and never reported."],
  ["was forgotten", WAITING, { now: T0 + DAY }, "Nobody imported it in time"],
  ["failed", { ...WAITING, life: REPORTED }, {}, "None of its sounds was imported."],
  ["lost a file", { ...WAITING, uploaded: new Map() }, {}, "It can't be imported whole. 2 files"],
])("[AD12] a package that %s says so", (_, record, more, sentence) => {
  expect(tell(record, more).explanations.join(" ")).toContain(sentence);
});

test("[AD12] a dismissed package says so, and what blocks it is said beside", () => {
  const result = { status: "skipped" as const, error: DISMISSED };
  const results = { "1": result, "2": result };
  const device = { ...DEVICE, blocked: true, revoked: true };
  expect(tell({ ...WAITING, life: REPORTED, results }, { device }).explanations).toEqual([
    "Somebody dismissed it at the computer.",
    "The computer is blocked.",
    "The computer's token is revoked: it must register again.",
  ]);
});

test("[AD12] a file that arrived in part isn't mistaken for a deleted one", () => {
  const states = (record: PackageRecord) =>
    tell(record, { partials: new Map([["sound 2.wav", {}]]) }).sounds.map(({ state }) => state);
  expect(states(ANNOUNCED)).toEqual(["missing", "partly"]);
  expect(states(WAITING)).toEqual(["arrived", "arrived"]);
  expect(states({ ...WAITING, filesDeleted: true })).toEqual(["deleted", "deleted"]);
  const timeline = tell({ ...WAITING, filesDeleted: true }).timeline.map(({ event }) => event);
  expect(timeline).toEqual(["announced", "committed", "expired"]);
});
