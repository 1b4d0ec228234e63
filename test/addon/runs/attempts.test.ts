import { describe, expect, test } from "vitest";
import { FetchFailure } from "../../../core/importer/fetch-failure.ts";
import { FetchWatch } from "../../../addon/runs/attempts.ts";
import { ConnectionLostError } from "../../../core/importer/import-errors.ts";
import { ManualTimers } from "../manual-timers.ts";

const CUT = new FetchFailure("Kick.wav: the connection ended too early.");

function setUp() {
  const timers = new ManualTimers();
  const left: number[] = [];
  const box = { recovered: 0 };
  const watch = new FetchWatch({
    timers,
    leaseMs: 300_000,
    onTrouble: (secondsLeft) => void left.push(secondsLeft),
    onRecovered: () => void (box.recovered += 1),
  });
  return { timers, left, box, watch };
}

describe("a run's downloads", () => {
  test("[R1] are given up once a lease's time has passed without a new byte, with the last trouble", () => {
    const { timers, left, watch } = setUp();
    timers.advance(100_000);
    watch.noteTrouble(CUT);
    timers.advance(199_999);
    expect(watch.signal.aborted).toBe(false);
    timers.advance(1);
    expect(watch.signal.reason).toBeInstanceOf(ConnectionLostError);
    expect(watch.signal.reason).toMatchObject({ cause: CUT });
    expect(left).toEqual([200]);
  });

  test("[R1] go on while 64 KiB come in that time, and no less: a trickle ends", () => {
    const { timers, watch } = setUp();
    for (let minutes = 0; minutes < 30; minutes += 1) {
      watch.noteBytes(16_384);
      timers.advance(60_000);
    }
    expect(watch.signal.aborted).toBe(false);
    for (let minutes = 0; minutes < 10; minutes += 1) {
      watch.noteBytes(10);
      timers.advance(60_000);
    }
    expect(watch.signal.aborted).toBe(true);
  });

  test("[S2] renew their lease only where something new came since the last beat", () => {
    const { box, watch } = setUp();
    expect([watch.takeProgress(), watch.takeProgress()]).toEqual([true, false]);
    watch.noteBytes(65_536);
    watch.noteTrouble(CUT);
    expect(watch.takeProgress()).toBe(false);
    watch.noteSettled();
    expect(box.recovered).toBe(1);
    expect(watch.takeProgress()).toBe(true);
  });

  test("[R1] need no timer once they are over", () => {
    const { timers, watch } = setUp();
    watch.end();
    expect(timers.remaining).toEqual([]);
  });
});
