import assert from "node:assert/strict";
import type {
  Limits,
  RelayClock,
  TakenVerdict,
  Verdict,
  Window,
} from "../../../relay/domain/ports.ts";
import { assertHalfIsKept } from "./shared-events.ts";
import type { ContractCase, StoreUnderTest } from "./contract.ts";

/** Makes limits that follow a clock that the case sets. */
export type MakeLimits = (clock: Pick<RelayClock, "now">) => Promise<StoreUnderTest<Limits>>;

/** Counts a try of "key", or of another one, at a second of the case's time. */
type CountAt = (second: number, key?: string) => Promise<Verdict>;

type Windows = readonly (readonly [key: string, window: Window])[];

interface Counting {
  readonly limits: Limits;
  /** Takes an event in several windows at a second of the case's time. */
  readonly take: (second: number, windows: Windows) => Promise<TakenVerdict>;
  readonly at: CountAt;
  /** Counts a try in another process. */
  readonly elsewhere: CountAt;
}

type LimitsCase = (make: MakeLimits) => ContractCase;

const T0 = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const THREE_A_MINUTE: Window = { max: 3, windowMs: MINUTE };

/** Windows in one process (rules L1, P6). */
const ONE_PROCESS: readonly LimitsCase[] = [
  counting("[L1] a window allows its limit, and says how many are left", async ({ at }) => {
    assert.deepEqual(await at(0), { allowed: true, remaining: 2, retryAfterSeconds: 0 });
    assert.deepEqual(await at(0), { allowed: true, remaining: 1, retryAfterSeconds: 0 });
    assert.deepEqual(await at(20), { allowed: true, remaining: 0, retryAfterSeconds: 40 });
    assert.deepEqual(await at(20), { allowed: false, remaining: 0, retryAfterSeconds: 40 });
    assert.equal((await assertRefused(at(20.5))).retryAfterSeconds, 40, "Seconds are rounded up.");
  }),

  counting("[L1] windows slide: two halves never let twice the limit through", async ({ at }) => {
    for (const second of [50, 55, 59]) await assertAllowed(at(second));
    assert.deepEqual(await at(61), { allowed: false, remaining: 0, retryAfterSeconds: 49 });
    assert.equal((await assertRefused(at(109.999))).retryAfterSeconds, 1);
    assert.equal((await assertAllowed(at(110))).remaining, 0);
    assert.equal((await assertRefused(at(110))).retryAfterSeconds, 5);
    assert.equal((await assertAllowed(at(119))).remaining, 1);
  }),

  counting("[L1] a refused event does not count", async ({ at }) => {
    for (const second of [0, 0, 0]) await at(second);
    for (let second = 0; second < 60; second += 1) await assertRefused(at(second));
    assert.equal((await assertAllowed(at(60))).remaining, 2);
  }),

  counting(
    "[L1] at most the limit is allowed in any window, at any rhythm",
    async ({ at }) => {
      const allowed: number[] = [];
      let seed = 42;
      for (let ms = 0; ms < 100_000;) {
        seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
        ms += seed % 500;
        const verdict = await at(ms / 1000);
        const counted = allowed.filter((earlier) => earlier > ms - 10_000).length;
        assert.equal(verdict.allowed, counted < 20, `At ${ms} ms, after ${counted} of 20.`);
        if (verdict.allowed) allowed.push(ms);
      }
      assert.ok(allowed.length > 150, `Only ${allowed.length} events were allowed.`);
    },
    { max: 20, windowMs: 10_000 },
  ),

  counting(
    "[L1] each event that leaves the window makes room for one, and not for more",
    async ({ at }) => {
      for (let index = 0; index < 100; index += 1) await at(index / 10);
      for (let index = 0; index < 250; index += 1) {
        const second = 60 * Math.floor(1 + index / 100) + (index % 100) / 10;
        assert.equal((await assertAllowed(at(second))).remaining, 0);
        await assertRefused(at(second));
      }
    },
    { max: 100, windowMs: MINUTE },
  ),

  counting(
    "[L1] no more than the limit is allowed to concurrent events",
    async ({ at }) => {
      const verdicts = await Promise.all(Array.from({ length: 1000 }, () => at(0)));
      assert.equal(countAllowed(verdicts), 600);
    },
    { max: 600, windowMs: MINUTE },
  ),

  counting("[P6] keys and buckets are counted separately", async ({ at, limits }) => {
    for (const _ of [1, 2, 3]) await at(0, "one");
    await assertRefused(at(0, "one"));
    assert.equal((await assertAllowed(at(0, "two"))).remaining, 2);
    const window = { bucket: "registrations", key: "one", window: THREE_A_MINUTE } as const;
    const inAnotherBucket = async () => limits.take([window]);
    assert.equal((await assertAllowed(inAnotherBucket())).remaining, 2);
    assert.equal((await assertAllowed(at(0, "__proto__"))).remaining, 2);
  }),

  counting("[L1] a key starts again after a window without events", async ({ at }) => {
    for (const _ of [1, 2, 3]) await at(0);
    assert.equal((await assertAllowed(at(3600))).remaining, 2);
  }),

  counting("[L1] other keys don't change one that is in use", async ({ at }) => {
    for (const _ of [1, 2, 3]) await at(0);
    for (let index = 0; index < 2000; index += 1) await at(30, `other ${index}`);
    await assertRefused(at(59));
  }),
];

/** One event in several windows (rule L8). */
const SEVERAL_WINDOWS: readonly LimitsCase[] = [
  counting("[L8] an event counts in all of its windows, or in none", async ({ take }) => {
    const both: Windows = [
      ["one", THREE_A_MINUTE],
      ["all", { max: 4, windowMs: 60 * MINUTE }],
    ];
    const others: Windows = [["two", THREE_A_MINUTE], ...both.slice(1)];
    for (const left of [2, 1, 0]) assert.equal((await assertTaken(take(0, both))).remaining, left);
    assert.equal((await assertRefused(take(0, both))).retryAfterSeconds, 60);
    assert.equal((await assertTaken(take(0, others))).remaining, 0);
    assert.equal((await assertRefused(take(0, others))).retryAfterSeconds, 3600);
    for (let index = 0; index < 5; index += 1) await assertRefused(take(60, both));
    assert.equal((await assertTaken(take(60, [["two", THREE_A_MINUTE]]))).remaining, 2);
    assert.equal((await assertTaken(take(60, [["one", THREE_A_MINUTE]]))).remaining, 2);
  }),

  counting(
    "[L8] each window says what it has left, or whether it is the full one",
    async ({ take }) => {
      const all = ["all", { max: 4, windowMs: 60 * MINUTE }] as const;
      const asOf = async (key: string) => (await take(0, [[key, THREE_A_MINUTE], all])).each;
      const left = (each: readonly Verdict[]) => each.map(({ remaining }) => remaining);
      for (const count of [2, 1, 0]) assert.deepEqual(left(await asOf("one")), [count, count + 1]);
      const [own, shared] = await asOf("one");
      assert.deepEqual(own, { allowed: false, remaining: 0, retryAfterSeconds: 60 });
      assert.equal(shared?.allowed, true);
      assert.deepEqual(left(await asOf("two")), [2, 0]);
      const [other, full] = await asOf("two");
      assert.deepEqual(full, { allowed: false, remaining: 0, retryAfterSeconds: 3600 });
      assert.equal(other?.allowed, true);
    },
  ),

  counting("[L8] what is given back never counted, once", async ({ take }) => {
    const windows: Windows = [
      ["one", THREE_A_MINUTE],
      ["all", { max: 3, windowMs: 60 * MINUTE }],
    ];
    const taken = [];
    for (const _ of [1, 2, 3]) taken.push(await assertTaken(take(0, windows)));
    const late = await assertRefused(take(10, windows));
    for (const _ of [1, 2]) await late.refund();
    await assertRefused(take(10, windows));
    for (const _ of [1, 2]) await taken[1]?.refund();
    await assertTaken(take(10, windows));
    await assertRefused(take(10, windows));
    assert.equal((await assertRefused(take(60, windows))).retryAfterSeconds, 3540);
  }),

  counting("[L8] windows of different length count separately in one bucket", async ({ take }) => {
    const windows: Windows = [
      ["key", { max: 2, windowMs: MINUTE }],
      ["key", { max: 3, windowMs: 60 * MINUTE }],
    ];
    for (const _ of [1, 2]) await assertTaken(take(0, windows));
    assert.equal((await assertRefused(take(0, windows))).retryAfterSeconds, 60);
    await assertTaken(take(60, windows));
    assert.equal((await assertRefused(take(60, windows))).retryAfterSeconds, 3540);
  }),

  counting("[L8] no more than each window's limit is taken at once", async ({ take }) => {
    const windows: Windows = [
      ["key", { max: 100, windowMs: MINUTE }],
      ["all", { max: 60, windowMs: 60 * MINUTE }],
    ];
    const verdicts = await Promise.all(Array.from({ length: 500 }, () => take(0, windows)));
    assert.equal(countAllowed(verdicts), 60);
  }),
];

/** A budget with parts that are kept for some (rule L13). */
const SHARED_BUDGETS: readonly LimitsCase[] = [
  counting("[L13] one network can't have the half that is kept for others", ({ limits }) =>
    assertHalfIsKept(limits),
  ),
];

/** A limit may hold in each process alone. */
const TWO_PROCESSES: readonly LimitsCase[] = [
  counting("[L1] two processes allow at least the limit, at most twice as much", async (both) => {
    const { at, elsewhere } = both;
    for (const second of [0, 30, 60, 90, 120]) {
      const verdicts: Verdict[] = [];
      for (let index = 0; index < 10; index += 1) verdicts.push(await at(second, `${second}`));
      for (let index = 0; index < 10; index += 1) {
        verdicts.push(await elsewhere(second, `${second}`));
      }
      assertWithin(verdicts);
    }
  }),

  counting("[L1] so do two processes that count at once", async ({ at, elsewhere }) => {
    const verdicts = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? at : elsewhere)(0)),
    );
    assertWithin(verdicts);
    for (const each of [at, elsewhere]) await assertRefused(each(59.999));
    await assertAllowed(at(60));
  }),
];

/** Makes the cases for `Limits`, in one process and in two. */
export function limitsContract(make: MakeLimits): readonly ContractCase[] {
  return [...ONE_PROCESS, ...SEVERAL_WINDOWS, ...SHARED_BUDGETS, ...TWO_PROCESSES].map((each) =>
    each(make),
  );
}

function counting(
  title: string,
  run: (counting: Counting) => Promise<void>,
  window = THREE_A_MINUTE,
): LimitsCase {
  return (make) => ({
    title,
    run: async () => {
      let time = T0;
      await using under = await make({ now: () => time });
      const [limits, other] = [await under.open(), await under.open()];
      const countOn =
        (where: Limits): CountAt =>
        async (second, key = "key") => {
          time = T0 + Math.round(second * 1000);
          return verdictOf(await where.take([{ bucket: "codes", key, window }]));
        };
      const take: Counting["take"] = async (second, windows) => {
        time = T0 + Math.round(second * 1000);
        return limits.take(
          windows.map(([key, each]) => ({ bucket: "pairing-tries", key, window: each })),
        );
      };
      await run({ limits, take, at: countOn(limits), elsewhere: countOn(other) });
    },
  });
}

function verdictOf({ allowed, remaining, retryAfterSeconds }: Verdict): Verdict {
  return { allowed, remaining, retryAfterSeconds };
}

async function assertAllowed(counted: Promise<Verdict>): Promise<Verdict> {
  const verdict = await counted;
  assert.equal(verdict.allowed, true, "An event within the limit was refused.");
  assert.equal(verdict.retryAfterSeconds > 0, verdict.remaining === 0, "The wait is wrong.");
  return verdict;
}

async function assertTaken(taken: Promise<TakenVerdict>): Promise<TakenVerdict> {
  await assertAllowed(taken);
  return taken;
}

async function assertRefused<Kind extends Verdict>(counted: Promise<Kind>): Promise<Kind> {
  const verdict = await counted;
  assert.equal(verdict.allowed, false, "An event beyond the limit was allowed.");
  assert.ok(verdict.retryAfterSeconds >= 1, "A refused event must wait for at least a second.");
  return verdict;
}

function assertWithin(verdicts: readonly Verdict[]): void {
  const allowed = countAllowed(verdicts);
  const { max } = THREE_A_MINUTE;
  assert.ok(
    allowed >= max && allowed <= 2 * max,
    `${allowed} were allowed with a limit of ${max}.`,
  );
}

function countAllowed(verdicts: readonly Verdict[]): number {
  return verdicts.filter(({ allowed }) => allowed).length;
}
