import assert from "node:assert/strict";
import * as fc from "fast-check";
import { type Act, PackageModel } from "./package-model.ts";
import { FILES, type Studio } from "./studio.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The expected packages, in the order of their announcements. */
export interface Plan {
  readonly packages: PlannedPackage[];
}

interface PlannedPackage {
  readonly id: string;
  readonly app: number;
  readonly life: PackageModel;
}

/** `isOther`: by another app of another computer, who must not find it. */
type OnPackage = Act & { readonly isOther: boolean };

/** One thing that an app, an importer or the relay does. */
export type Deed =
  | { readonly does: "announce" | "send" | "unpair"; readonly app: number }
  | { readonly does: "sweep" }
  | { readonly does: "pass"; readonly ms: number }
  | { readonly does: "race"; readonly at: number; readonly acts: readonly [OnPackage, OnPackage] }
  | { readonly does: "on"; readonly at: number; readonly act: OnPackage };

const isOther = fc.integer({ min: 0, max: 19 }).map((number) => number === 0);
const file = fc.constantFrom(...FILES);
/** The choices from which an act or a deed is made, by their frequency. */
type More = Readonly<Record<string, fc.Arbitrary<unknown>>>;

const anAct = (weight: number, call: Act["call"], more: More) => ({
  weight,
  arbitrary: fc.record({ call: fc.constant(call), isOther, ...more }),
});

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each record has what its call takes
const onPackage = fc.oneof(
  anAct(6, "upload", { file }),
  anAct(4, "commit", {}),
  anAct(4, "take", { run: fc.constantFrom("one", "two"), force: fc.boolean() }),
  anAct(2, "report", { outcome: fc.constantFrom("imported", "partial", "failed") }),
  anAct(2, "download", { file }),
  anAct(1, "withdraw", {}),
) as fc.Arbitrary<OnPackage>;

/** Mostly the newest package. */
const at = fc.integer({ min: 0, max: 9 }).map((number) => Math.max(0, number - 6));
const app = fc.nat(3);

const aDeed = (weight: number, does: Deed["does"], more: More) => ({
  weight,
  arbitrary: fc.record({ does: fc.constant(does), ...more }),
});

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each record has what it does it with
export const deeds = fc.oneof(
  aDeed(2, "announce", { app }),
  aDeed(4, "send", { app }),
  aDeed(24, "on", { at, act: onPackage }),
  aDeed(6, "race", { at, acts: fc.tuple(onPackage, onPackage) }),
  aDeed(4, "pass", { ms: fc.constantFrom(1, MINUTE, 4 * MINUTE, 50 * MINUTE) }),
  aDeed(2, "pass", { ms: fc.constantFrom(HOUR, 23 * HOUR, DAY, 7 * DAY, -2 * HOUR) }),
  aDeed(2, "sweep", {}),
  aDeed(1, "unpair", { app }),
) as fc.Arbitrary<Deed>;

/** A command for fast-check: does one deed to the relay and to the model, and compares them. */
export class Step implements fc.AsyncCommand<Plan, Studio> {
  readonly #deed: Deed;
  readonly #onRun: () => void;

  /** @param onRun called when the deed is done to both */
  constructor(deed: Deed, onRun: () => void) {
    this.#deed = deed;
    this.#onRun = onRun;
  }

  check({ packages }: Readonly<Plan>): boolean {
    return !("at" in this.#deed) || this.#deed.at < packages.length;
  }

  async run(plan: Plan, studio: Studio): Promise<void> {
    await perform(this.#deed, plan, studio);
    await compare(plan, studio);
    this.#onRun();
  }

  toString(): string {
    return JSON.stringify(this.#deed);
  }
}

async function perform(deed: Deed, plan: Plan, studio: Studio): Promise<void> {
  const { now } = studio;
  switch (deed.does) {
    case "announce":
      await announce(deed.app, plan, studio);
      return;
    case "send": {
      const planned = await announce(deed.app, plan, studio);
      const uploads = FILES.map((name) => ({ call: "upload" as const, file: name }));
      for (const act of [...uploads, { call: "commit" as const }]) {
        await on(planned, { ...act, isOther: false }, studio);
      }
      return;
    }
    case "unpair":
      await studio.unpair(deed.app);
      for (const { app: of, life } of plan.packages) if (of === deed.app) life.unpair(now);
      return;
    case "pass":
      return studio.pass(deed.ms);
    case "sweep":
      await studio.sweep();
      for (const { life } of plan.packages) life.sweep(now);
      return;
    case "on":
      return on(plannedAt(plan, deed.at), deed.act, studio);
    case "race":
      return race(plannedAt(plan, deed.at), deed.acts, studio);
  }
}

async function announce(by: number, plan: Plan, studio: Studio): Promise<PlannedPackage> {
  const id = await studio.announce(by);
  const planned = { id, app: by, life: new PackageModel(studio.now, FILES) };
  plan.packages.push(planned);
  return planned;
}

async function on(planned: PlannedPackage, act: OnPackage, studio: Studio): Promise<void> {
  const expected = expect(planned.life, act, studio.now);
  assert.equal(await actual(studio, planned, act), expected, `the answer to ${act.call}`);
}

/** Two calls at the same time: the answers are those of one of the two orders, and so is the state. */
async function race(
  planned: PlannedPackage,
  [first, second]: readonly [OnPackage, OnPackage],
  studio: Studio,
): Promise<void> {
  const { now } = studio;
  const other = planned.life.copy();
  const expected = [expect(planned.life, first, now), expect(planned.life, second, now)];
  const reverse = [expect(other, second, now), expect(other, first, now)].toReversed();
  const got = await Promise.all([actual(studio, planned, first), actual(studio, planned, second)]);
  const look = await studio.look(planned.app, planned.id);
  const isFirst = same(got, expected) && same(look, viewOf(planned.life, now));
  if (isFirst) return;
  assert.deepEqual(
    { got, look },
    { got: reverse, look: viewOf(other, now) },
    "neither order explains the answers",
  );
  Object.assign(planned.life, other);
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function expect(life: PackageModel, act: OnPackage, now: number): number {
  return act.isOther ? 404 : life.apply(act, now);
}

function actual(studio: Studio, { id, app: by }: PlannedPackage, act: OnPackage): Promise<number> {
  return studio.act(act.isOther ? (by + 2) % 4 : by, id, act);
}

async function compare({ packages }: Plan, studio: Studio): Promise<void> {
  const { now } = studio;
  for (const { id, app: by, life } of packages) {
    assert.deepEqual(await studio.look(by, id), viewOf(life, now), `the status of ${id}`);
  }
  for (const computer of [0, 2]) {
    const expected = packages
      .filter(({ app: by, life }) => by >> 1 === computer >> 1 && life.isImportable(now))
      .map(({ id }) => id);
    const listed = await studio.importableIds(computer);
    assert.deepEqual(listed, expected.toSorted(), "the importer's list");
  }
  const counts = await studio.storedCounts();
  for (const { id, life } of packages) {
    const expected = life.isEmpty || life.isGone ? 0 : life.uploaded.size;
    assert.equal(counts.get(id) ?? 0, expected, `the stored sounds of ${id}`);
  }
}

function viewOf(life: PackageModel, now: number) {
  if (!life.isReadable(now)) return 404;
  const { run: runId, endsAt } = life.lease ?? {};
  return {
    status: life.status(now),
    uploaded: FILES.filter((name) => life.uploaded.has(name)),
    lease: life.lease === undefined ? null : { runId, endsAt },
  };
}

/** The newest package has index 0. */
function plannedAt({ packages }: Plan, index: number): PlannedPackage {
  const planned = packages.at(-1 - index);
  if (planned === undefined) throw new RangeError(`There is no package ${index}.`);
  return planned;
}
