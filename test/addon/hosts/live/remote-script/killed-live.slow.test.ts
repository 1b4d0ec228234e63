import { expect, test } from "vitest";
import { AlreadyPlacedError } from "../../../../../addon/hosts/already-placed.ts";
import { LeftBehindError } from "../../../../../addon/hosts/host.ts";
import { UnreachableError } from "../../../../../addon/hosts/live/remote-script/control-surface-error.ts";
import type { FakeSet } from "./fake-live-set.ts";
import { callsToTry } from "../../../../whole-forms.ts";
import { type LiveStudio, liveStudio } from "./live-studio.ts";
import { lasting } from "./look-in-set.ts";
import { violationsIn } from "./fake-live-log.ts";
import { added, expectTold, nextRun, NOTHING, ONCE, QUICK, RUN, SMALL } from "./small-layout.ts";

const NO_TIME = { habits: QUICK };

async function countCalls() {
  const { live, host, request } = await liveStudio(NO_TIME);
  const asked = await request(SMALL, { runId: RUN });
  const before = (await live.log()).calls;
  await host.place(asked);
  const { calls } = await live.log();
  const ours = calls.slice(before.length);
  return { all: ours.length, changes: ours.filter(({ changes }) => changes).length };
}

/** Kills Live in the middle of a run; returns the Set before it and that of the moment. */
async function killed(at: number, how: { of: "all" | "changes"; when: "before" | "after" }) {
  const studio = await liveStudio(NO_TIME);
  const before = await studio.live.dump();
  const request = await studio.request(SMALL, { runId: RUN });
  await studio.live.killAt(at, how);
  const error: unknown = await studio.host.place(request).catch((thrown: unknown) => thrown);
  const { event, set } = await studio.live.ended;
  if (event !== "killed" || set === null) throw new Error(`Live ${event}.`);
  return { studio, before, set, error };
}

/** Live is gone: what it holds can't be known, except before the layout was handed over. */
function expectStopped(error: unknown, there: ReturnType<typeof added>): void {
  if (Array.isArray(error)) expect(there).toEqual(ONCE);
  else if (error instanceof UnreachableError) expect(there).toEqual(NOTHING);
  else expect(error).toBeInstanceOf(LeftBehindError);
}

/** Checks that the next run says what the reopened Set holds, doubles nothing, and places again if asked. */
async function expectTruth(studio: LiveStudio, [before, set]: readonly [FakeSet, FakeSet]) {
  const live = await studio.reopen({ ...NO_TIME, set });
  const host = studio.newHost();
  const error: unknown = await host.place(await nextRun(studio)).catch((thrown: unknown) => thrown);
  const after = await live.dump();
  if (error instanceof AlreadyPlacedError) {
    expect(lasting(after)).toEqual(lasting(set));
    expectTold(error, before, set);
    await host.place(await nextRun(studio, true));
    expect(added(set, await live.dump())).toEqual(ONCE);
    await host.place(await nextRun(studio));
    expect(added(set, await live.dump())).toEqual(ONCE);
  } else {
    expect(Array.isArray(error), String(error)).toBe(true);
    expect(added(before, after)).toEqual(ONCE);
  }
  await live.reload(before);
  await live.run();
  await host.place(await nextRun(studio));
  expect(added(before, await live.dump())).toEqual(ONCE);
  expect(violationsIn(await live.log())).toEqual([]);
}

test.each([
  { of: "changes", when: "before", few: 2 },
  { of: "changes", when: "after", few: 2 },
  { of: "all", when: "before", few: 1 },
] as const)(
  "[R4] a run that Live was killed in, $when a call ($of), is judged by what the Set holds",
  async ({ of, when, few }) => {
    const count = (await countCalls())[of];
    expect(count).toBeGreaterThan(20);
    for (const at of callsToTry(count, few)) {
      const { studio, before, set, error } = await killed(at, { of, when });
      expectStopped(error, added(before, set));
      await expectTruth(studio, [before, set]).catch((cause: unknown) => {
        throw new Error(`Killed ${when} call ${at} of ${count}: ${String(cause)}`, { cause });
      });
      await studio.live.kill();
    }
  },
);
