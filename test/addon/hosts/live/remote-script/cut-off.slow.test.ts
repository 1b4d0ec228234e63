import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { AlreadyPlacedError } from "../../../../../addon/hosts/already-placed.ts";
import type { Host } from "../../../../../addon/hosts/host.ts";
import { startCutter } from "./cut-socket.ts";
import { callsToTry } from "../../../../whole-forms.ts";
import { type LiveStudio, liveStudio } from "./live-studio.ts";
import { violationsIn } from "./fake-live-log.ts";
import { added, expectTold, nextRun, ONCE, QUICK, RUN, SMALL } from "./small-layout.ts";

const NO_TIME = { habits: QUICK };
/** Time for what has been sent to arrive; nothing is judged by it. */
const ARRIVE_MS = 5;
const LAST_TICK = 60;

/** Places; where that fails, places in another run of the importer. Returns whether the first did it. */
async function placeInTwoRuns(studio: LiveStudio, host: Host): Promise<boolean> {
  const request = await studio.request(SMALL, { runId: RUN });
  try {
    await host.place(request);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
    await studio.newHost().place(await nextRun(studio));
    return false;
  }
}

/** Lets ticks pass one by one while the host places; returns whether it was done by then. */
async function ticksWhilePlacing(studio: LiveStudio, placing: Promise<unknown>, count: number) {
  const done = placing.then(
    () => true,
    () => true,
  );
  for (let tick = 0; tick < count; tick += 1) {
    await studio.live.tick();
    if (await Promise.race([done, sleep(ARRIVE_MS, false)])) return true;
  }
  return false;
}

describe.each(["up", "down"] as const)("a connection that is cut %s", (direction) => {
  test.each([false, true])(
    "[H16] after any of its lines (mid-line: %s) costs nothing: all is there once",
    async (isMidLine) => {
      const studio = await liveStudio(NO_TIME);
      const before = await studio.live.dump();
      let cuts = 0;
      for (let lines = 0; ; lines += 1) {
        await studio.live.reload(before);
        await studio.live.run();
        const { folder, line } = await startCutter(studio.folder);
        line.play({ direction, at: { lines, isMidLine }, does: "end", times: 1 });
        await placeInTwoRuns(studio, studio.newHost([folder]));
        expect(added(before, await studio.live.dump()), `after ${lines} lines`).toEqual(ONCE);
        if (line.cuts === 0) break;
        cuts += 1;
      }
      expect(cuts).toBeGreaterThan(2);
      expect(violationsIn(await studio.live.log())).toEqual([]);
    },
  );
});

test("[H16] an importer that is gone after any tick finds its run finished: nothing doubles", async () => {
  const studio = await liveStudio(NO_TIME);
  const before = await studio.live.dump();
  for (let ticks = 1; ; ticks += 1) {
    await studio.live.reload(before);
    await studio.live.stop();
    const { folder, line } = await startCutter(studio.folder);
    const gone = studio.newHost([folder]);
    const placing = gone.place(await studio.request(SMALL, { runId: RUN }));
    const isDone = await ticksWhilePlacing(studio, placing, ticks);
    line.close();
    await studio.live.run();
    await placing.catch(() => undefined);
    await studio.newHost().place(await nextRun(studio));
    expect(added(before, await studio.live.dump()), `gone after ${ticks} ticks`).toEqual(ONCE);
    if (isDone) break;
    expect(ticks).toBeLessThan(LAST_TICK);
  }
  expect(violationsIn(await studio.live.log())).toEqual([]);
});

test("[R4] a script that is loaded again between any two calls tells what is there, and nothing doubles", async () => {
  // Each call of Live takes the script's whole time in a callback.
  const studio = await liveStudio({
    habits: { ...QUICK, callMs: { "*": 31 }, sleeps: false },
  });
  const before = await studio.live.dump();
  const count = 90;
  for (const ticks of callsToTry(count, 2)) {
    await studio.live.reload(before);
    await studio.live.stop();
    const placing = studio.newHost().place(await studio.request(SMALL, { runId: RUN }));
    const ended = placing.then(
      () => "placed",
      (error: unknown) => String(error),
    );
    await ticksWhilePlacing(studio, placing, ticks);
    await studio.live.change({ callMs: {} });
    await studio.live.reload();
    const set = await studio.live.dump();
    const there = added(before, set);
    await studio.live.run();
    const told = await ended;
    if (there.tracks.length === 0) expect(told, `${ticks} ticks`).not.toMatch(/holds.*track/);
    else if (told !== "placed") {
      for (const name of there.tracks.filter((each) => /Looper/.test(each)))
        expect(told).toContain(name);
    }
    const next = await studio
      .newHost()
      .place(await nextRun(studio))
      .catch((error: unknown) => error);
    if (next instanceof AlreadyPlacedError) {
      expectTold(next, before, set);
      expect(added(before, await studio.live.dump())).toEqual(there);
    } else {
      expect(added(before, await studio.live.dump()), `${ticks} ticks: ${told}`).toEqual(ONCE);
    }
    await studio.live.change({ callMs: { "*": 31 } });
  }
  expect(violationsIn(await studio.live.log())).toEqual([]);
});
