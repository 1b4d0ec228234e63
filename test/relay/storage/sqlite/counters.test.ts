import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { InsertOptions, PackageRecord, Records } from "../../../../relay/domain/ports.ts";
import { SQLITE } from "../../../../relay/storage/records/dialect.ts";
import {
  addFile,
  DAY,
  HOUR,
  packageOf,
  register,
  roomFor,
  T0,
} from "../../../contracts/relay/records/sample-records.ts";
import { emptyInMemory, recordsIn } from "../../domain/sqlite-in-memory.ts";
import { wrongCounts } from "../records/wrong-counts.ts";
import { misplacedKeys, plainHold, plainOutcome } from "./plain-counts.ts";

/** Shorter than the upload window. */
const HOLD_MS = HOUR / 4;
/** Quotas that random announcements reach now and then. */
const QUOTAS = {
  packagesPerHour: 3,
  waitingPerDevice: 2,
  bytesPerDevice: 900,
  bytesPerAddressPerDay: 1500,
  unfilledPerApp: 800,
  unfilledPerAddress: 700,
  uncrowdedBytes: 300,
  roomBytes: 1000,
};

type Step =
  | { readonly kind: "announce"; readonly at: number; readonly who: number; readonly bytes: number }
  | { readonly kind: Change; readonly which: number }
  | { readonly kind: "pass"; readonly ms: number }
  | { readonly kind: "forget" }
  | { readonly kind: "expire" }
  | { readonly kind: "drop spares"; readonly bytes: number };
type Change =
  | "upload"
  | "replace"
  | "commit"
  | "lease"
  | "report"
  | "spare"
  | "delete files"
  | "remove"
  | "unpair"
  | "remove device"
  | "hold"
  | "hold elsewhere";

const CHANGE = fc.record({
  kind: fc.constantFrom<Change[]>(
    ...(["upload", "upload", "replace", "commit", "commit", "lease"] as const),
    ...(["hold", "hold", "hold elsewhere"] as const),
    ...(["report", "spare", "spare", "delete files", "remove", "unpair", "remove device"] as const),
  ),
  which: fc.nat(99),
});
const ANNOUNCE = fc.record({
  kind: fc.constant("announce" as const),
  // Another process's clock differs by up to a second.
  at: fc.integer({ min: -1000, max: 1000 }),
  who: fc.nat(7),
  bytes: fc.integer({ min: 1, max: 600 }),
});
const PASS = fc.record({
  kind: fc.constant("pass" as const),
  // Rarely, the machine's clock was set back before a restart.
  ms: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: HOUR }) },
    { weight: 3, arbitrary: fc.integer({ min: HOUR, max: DAY }) },
    { weight: 1, arbitrary: fc.integer({ min: -2 * DAY, max: 0 }) },
  ),
});
const STEPS: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: ANNOUNCE },
    { weight: 8, arbitrary: CHANGE },
    { weight: 3, arbitrary: PASS },
    { weight: 1, arbitrary: fc.constant({ kind: "forget" as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: "expire" as const }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("drop spares" as const),
        bytes: fc.integer({ min: 1, max: 600 }),
      }),
    },
  ),
  { minLength: 10, maxLength: 60, size: "max" },
);

/** Runs steps against the records, at a time that they move, and compares after each. */
class CountedRecords {
  readonly #database = emptyInMemory();
  readonly #records: Records = recordsIn(this.#database);
  readonly #ids: string[] = [];
  /** The keys of files that packages got. */
  readonly #keys = new Set<string>();
  #uploads = 0;
  #now = T0;

  async start(): Promise<void> {
    for (const device of ["device-0", "device-1"]) await register(this.#records, device);
  }

  close(): void {
    this.#database.close();
  }

  async run(step: Step): Promise<void> {
    if (step.kind === "announce") await this.#announce(step);
    else if (step.kind === "pass") this.#now += step.ms;
    else if (step.kind === "forget") await this.#records.packages.forgetOld(this.#now);
    else if (step.kind === "expire") await this.#records.packages.expire(this.#now, 2);
    else if (step.kind === "drop spares") await this.#dropSpares(step.bytes);
    else await this.#change(step.kind, step.which);
    expect(this.#database.prepare(wrongCounts(SQLITE)).all()).toEqual([]);
    expect(misplacedKeys(this.#database, this.#keys)).toEqual([]);
  }

  async #announce({ at, who, bytes }: Step & { readonly kind: "announce" }): Promise<void> {
    const now = this.#now + at;
    const id = `pkg_${this.#ids.length}`;
    const address = `192.0.2.${who % 4}`;
    const record = packageOf(id, {
      createdAt: now,
      room: roomFor(address, now + HOLD_MS),
      deviceId: `device-${who % 2}`,
      appId: `app-${who % 3}`,
      sizes: [bytes, bytes],
    });
    const options: InsertOptions = {
      now,
      quotas: QUOTAS,
      address,
      idempotency: undefined,
    };
    const expected = plainOutcome(this.#database, record, options);
    expect(await this.#records.packages.insert(record, options)).toEqual(expected);
    if (expected.kind === "inserted") this.#ids.push(id);
  }

  async #change(kind: Change, which: number): Promise<void> {
    const { packages, pairings } = this.#records;
    const record = await packages.find(this.#ids[which % Math.max(1, this.#ids.length)] ?? "");
    if (record === undefined) return;
    const { packageId, deviceId, version } = record;
    if (kind === "remove") await packages.remove(packageId, version);
    else if (kind === "remove device") {
      await pairings.removeDevice(deviceId);
      await register(this.#records, deviceId);
    } else if (kind === "unpair") await this.#unpair(record);
    else if (kind === "hold" || kind === "hold elsewhere") await this.#hold(record, kind);
    else if (kind === "upload" || kind === "replace") await this.#upload(record, kind);
    else expect(await packages.update(this.#changed(record, kind))).toBe("updated");
  }

  async #dropSpares(bytes: number): Promise<void> {
    const dropped = await this.#records.packages.dropSpares({ bytes, now: this.#now });
    for (const { packageId } of dropped) {
      const record = await this.#records.packages.find(packageId);
      expect(record).toMatchObject({ isSpare: true, filesDeleted: true });
    }
  }

  /** Pairs the app and removes its only token. */
  async #unpair({ deviceId, appId, appName }: PackageRecord): Promise<void> {
    const { pairings } = this.#records;
    const code = { codeHash: "code", now: this.#now, latestEnd: this.#now + 1 };
    await pairings.setCode(deviceId, { ...code, expiresAt: this.#now + 1 });
    const app = { pairingId: "pairing", appId, appName, tokenHash: "token", maxTokens: 1 };
    expect(await pairings.claimCode({ ...code, ...app })).toBeDefined();
    const unpaired = await pairings.unpair({ tokenHash: "token" }, this.#now);
    expect(unpaired?.ended).toMatchObject({ deviceId, appId });
  }

  async #hold(record: PackageRecord, kind: "hold" | "hold elsewhere"): Promise<void> {
    const now = this.#now;
    const address = kind === "hold" && record.room !== null ? record.room.address : "192.0.2.3";
    const room = roomFor(address, Math.min(now + HOLD_MS, record.life.uploadEndsAt));
    const replacedBytes = record.uploaded.size === 2 ? 100 : 0;
    const options = { now, confirmedNow: now, room, quotas: QUOTAS, replacedBytes };
    const expected = plainHold(this.#database, record, options);
    const outcome = await this.#records.packages.holdRoom(record.packageId, options);
    expect(outcome).toEqual(expected);
  }

  async #upload(record: PackageRecord, kind: "upload" | "replace"): Promise<void> {
    if (record.filesDeleted) return;
    this.#uploads += 1;
    const key = `${record.packageId}/${this.#uploads}`;
    const { soundKeys } = this.#records;
    await soundKeys.addPending(key, this.#now);
    const index = kind === "replace" || record.uploaded.size === 0 ? 0 : 1;
    const bytes = record.manifest.items[0]?.bytes ?? 0;
    const received = { address: record.room?.address ?? "192.0.2.3", bytes, at: this.#now };
    const room = record.room && { ...record.room, until: this.#now + HOLD_MS };
    const { committedAt, outcome } = record.life;
    const isMissing = !record.uploaded.has(record.manifest.items[index]?.file ?? "");
    const isAllowed = committedAt === null || (outcome === null && isMissing);
    const added = await addFile(this.#records, { ...record, room }, key, { index, received });
    expect(added.kind).toBe(isAllowed ? "added" : "changed");
    if (isAllowed) this.#keys.add(key);
    else await soundKeys.remove([key]);
  }

  #changed(record: PackageRecord, kind: "commit" | "lease" | "report" | "spare" | "delete files") {
    const { life } = record;
    const now = this.#now;
    if (kind === "delete files") return { ...record, filesDeleted: true };
    if (kind === "commit") {
      return { ...record, life: { ...life, committedAt: now, waitEndsAt: now + DAY } };
    }
    if (kind === "report" || kind === "spare") {
      return {
        ...record,
        isSpare: kind === "spare",
        life: { ...life, outcome: "partial" as const, lease: null },
      };
    }
    return { ...record, life: { ...life, lease: { runId: "run", endsAt: now + HOUR } } };
  }
}

/** Each step, with what it does to the counters compared. */
async function compareAfterEach(steps: readonly Step[]): Promise<void> {
  const counted = new CountedRecords();
  try {
    await counted.start();
    for (const step of steps) await counted.run(step);
  } finally {
    counted.close();
  }
}

test("[J4] after any changes, the counters are what plain sums give, and each answer follows from them", async () => {
  await fc.assert(fc.asyncProperty(STEPS, compareAfterEach), { numRuns: 40 });
});

test("[J4] an upload that asks for room finds what another clock saw end", async () => {
  await compareAfterEach([
    { kind: "announce", at: 0, who: 0, bytes: 212 },
    { kind: "upload", which: 0 },
    { kind: "upload", which: 0 },
    { kind: "announce", at: 0, who: 0, bytes: 1 },
    { kind: "pass", ms: HOUR - 1 },
    // A process whose clock is a millisecond ahead finds both packages over.
    { kind: "announce", at: 1, who: 0, bytes: 238 },
    { kind: "hold elsewhere", which: 1 },
  ]);
});
