import assert from "node:assert/strict";
import * as fc from "fast-check";
import { type Outcome, PackageModel } from "./package-model.ts";
import { FILES, type Studio } from "./studio.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What should be there: packages in the order of their announcements. */
export interface Plan {
  readonly packages: PlannedPackage[];
}

interface PlannedPackage {
  readonly id: string;
  readonly appIndex: number;
  readonly life: PackageModel;
}

/** One thing that an app, an importer or the relay does. */
export type Act =
  | { readonly does: "announce" | "send" | "unpair"; readonly app: number }
  | { readonly does: "sweep" }
  | { readonly does: "pass"; readonly ms: number }
  | { readonly does: "race"; readonly at: number; readonly acts: readonly [OnPackage, OnPackage] }
  | { readonly does: "on"; readonly at: number; readonly act: OnPackage };

/** What can be done to a package. `other`: by another app of another computer, who must not find it. */
export type OnPackage =
  | { readonly call: "upload" | "download"; readonly file: string; readonly other?: boolean }
  | { readonly call: "commit" | "withdraw"; readonly other?: boolean }
  | {
      readonly call: "take";
      readonly run: string;
      readonly force: boolean;
      readonly other?: boolean;
    }
  | { readonly call: "report"; readonly outcome: Outcome; readonly other?: boolean };

const onPackage: fc.Arbitrary<OnPackage> = fc.oneof(
  {
    weight: 6,
    arbitrary: byAnyone({ call: fc.constant("upload"), file: fc.constantFrom(...FILES) }),
  },
  { weight: 4, arbitrary: byAnyone({ call: fc.constant("commit") }) },
  {
    weight: 4,
    arbitrary: byAnyone({
      call: fc.constant("take"),
      run: fc.constantFrom("one", "two"),
      force: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: byAnyone({
      call: fc.constant("report"),
      outcome: fc.constantFrom("imported", "partial", "failed"),
    }),
  },
  {
    weight: 2,
    arbitrary: byAnyone({ call: fc.constant("download"), file: fc.constantFrom(...FILES) }),
  },
  { weight: 1, arbitrary: byAnyone({ call: fc.constant("withdraw") }) },
);

function byAnyone<Call>(call: { readonly [Name in keyof Call]: fc.Arbitrary<Call[Name]> }) {
  const other = fc.integer({ min: 0, max: 19 }).map((number) => number === 0);
  return fc.record({ ...call, other }) as fc.Arbitrary<Call & { readonly other: boolean }>;
}

/** Mostly the newest package. */
const at = fc.integer({ min: 0, max: 9 }).map((number) => Math.max(0, number - 6));

const [SHORT, LONG] = [
  [1, MINUTE, 4 * MINUTE, 50 * MINUTE],
  [HOUR, 23 * HOUR, DAY, 7 * DAY, -2 * HOUR],
];

export const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ does: fc.constant("announce"), app: fc.nat(3) }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant("send"), app: fc.nat(3) }) },
  { weight: 24, arbitrary: fc.record({ does: fc.constant("on"), at, act: onPackage }) },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant("race"),
      at,
      acts: fc.tuple(onPackage, onPackage),
    }),
  },
  { weight: 4, arbitrary: passing(SHORT) },
  { weight: 2, arbitrary: passing(LONG) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("sweep") }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("unpair"), app: fc.nat(3) }) },
);

function passing(spans: readonly number[]) {
  return fc.record({ does: fc.constant("pass"), ms: fc.constantFrom(...spans) });
}

/** A command for fast-check: does one act to the relay and to the model, and compares them. */
export class Step implements fc.AsyncCommand<Plan, Studio> {
  readonly #act: Act;
  readonly #onRun: () => void;

  /** @param onRun called when the act is done to both */
  constructor(act: Act, onRun: () => void) {
    this.#act = act;
    this.#onRun = onRun;
  }

  check({ packages }: Readonly<Plan>): boolean {
    return !("at" in this.#act) || this.#act.at < packages.length;
  }

  async run(plan: Plan, studio: Studio): Promise<void> {
    await perform(this.#act, plan, studio);
    await compare(plan, studio);
    this.#onRun();
  }

  toString(): string {
    return JSON.stringify(this.#act);
  }
}

async function perform(act: Act, plan: Plan, studio: Studio): Promise<void> {
  const { now } = studio;
  switch (act.does) {
    case "announce":
      await announce(act.app, plan, studio);
      return;
    case "send": {
      const planned = await announce(act.app, plan, studio);
      for (const file of FILES) await call(planned, { call: "upload", file }, studio);
      await call(planned, { call: "commit" }, studio);
      return;
    }
    case "unpair":
      await studio.unpair(act.app);
      for (const { appIndex, life } of plan.packages) if (appIndex === act.app) life.unpair(now);
      return;
    case "pass":
      return studio.pass(act.ms);
    case "sweep":
      await studio.sweep();
      for (const { life } of plan.packages) life.sweep(now);
      return;
    case "on":
      return call(plannedAt(plan, act.at), act.act, studio);
    case "race":
      return race(plannedAt(plan, act.at), act.acts, studio);
  }
}

async function announce(appIndex: number, plan: Plan, studio: Studio): Promise<PlannedPackage> {
  const id = await studio.announce(appIndex);
  const planned = { id, appIndex, life: new PackageModel(studio.now, FILES) };
  plan.packages.push(planned);
  return planned;
}

async function call(planned: PlannedPackage, act: OnPackage, studio: Studio): Promise<void> {
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
  const look = await studio.look(planned.appIndex, planned.id);
  const isFirst = same(got, expected) && same(look, viewOf(planned.life, now));
  if (isFirst) return;
  assert.deepEqual(
    { got, look },
    { got: reverse, look: viewOf(other, now) },
    "neither order explains the answers",
  );
  planned.life.become(other);
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function expect(life: PackageModel, act: OnPackage, now: number): number {
  if (act.other === true) return 404;
  switch (act.call) {
    case "upload":
      return life.upload(act.file, now);
    case "commit":
      return life.commit(now);
    case "withdraw":
      return life.withdraw(now);
    case "take":
      return life.take(act.run, act.force, now);
    case "report":
      return life.report(act.outcome, now);
    case "download":
      return life.download(now);
  }
}

function actual(studio: Studio, { id, appIndex }: PlannedPackage, act: OnPackage): Promise<number> {
  const app = act.other === true ? (appIndex + 2) % studio.appCount : appIndex;
  switch (act.call) {
    case "upload":
      return studio.upload(app, id, act.file);
    case "commit":
      return studio.commit(app, id);
    case "withdraw":
      return studio.withdraw(app, id);
    case "take":
      return studio.take(app, id, { run_id: act.run, force: act.force });
    case "report":
      return studio.report(app, id, act.outcome);
    case "download":
      return studio.download(app, id, act.file);
  }
}

async function compare({ packages }: Plan, studio: Studio): Promise<void> {
  const { now } = studio;
  for (const { id, appIndex, life } of packages) {
    assert.deepEqual(await studio.look(appIndex, id), viewOf(life, now), `the status of ${id}`);
  }
  for (const index of [0, 2]) {
    const expected = packages
      .filter(({ appIndex, life }) => appIndex >> 1 === index >> 1 && life.isImportable(now))
      .map(({ id }) => id);
    assert.deepEqual(await studio.importableIds(index), expected.toSorted(), "the importer's list");
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
    uploaded: FILES.filter((file) => life.uploaded.has(file)),
    lease: life.lease === undefined ? null : { runId, endsAt },
  };
}

/** The newest package has index 0. */
function plannedAt({ packages }: Plan, index: number): PlannedPackage {
  const planned = packages.at(-1 - index);
  if (planned === undefined) throw new RangeError(`There is no package ${index}.`);
  return planned;
}
