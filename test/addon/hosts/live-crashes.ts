import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AlreadyPlacedError } from "../../../addon/hosts/already-placed.ts";
import { ImportCancelledError } from "../../../core/importer/import-errors.ts";
import type { JournalStep } from "../../../addon/hosts/host.ts";
import type { TrackPicture } from "./live/stand-in/look-at-set.ts";
import { StandInLive } from "./live/stand-in/stand-in-live.ts";
import { ImportSite } from "../runs/import-site.ts";
import { inRows } from "./in-rows.ts";
import { KIT_FILES, liveStudio, type LiveStudio, TRACK_NAMES } from "./live-studio.ts";
import { expectTrueReport } from "./true-report.ts";

const MOMENTS = ["stopBeforeCall", "stopAfterCall"] as const;

export interface Stop {
  readonly moment: (typeof MOMENTS)[number];
  readonly call: number;
}

/** Lists all moments of a whole import at which the extension's process can die at Live. */
async function everyStop(): Promise<readonly Stop[]> {
  const studio = await liveStudio();
  await studio.import();
  return studio.live.calls.flatMap(({ number }) =>
    MOMENTS.map((moment) => ({ moment, call: number })),
  );
}

/**
 * Imports until the extension's process crashes at that call. Copies the disk's content at that moment,
 * because the rest of the run in this process may still write.
 * @param callOffAt number of the call at which the person cancels; absent for none
 * @returns the restarted importer, on the same Set
 */
async function importUntil({ moment, call }: Stop, callOffAt?: number): Promise<LiveStudio> {
  const stopped = Promise.withResolvers<void>();
  let left = "";
  const studio = await liveStudio({
    [moment]: call,
    seed: call,
    onStop: () => {
      cpSync(studio.site.folder, left, { recursive: true });
      stopped.resolve();
    },
  });
  left = join(studio.folder, "left");
  void importCancelled(studio, callOffAt);
  await stopped.promise;
  return studio.with(studio.live.restarted(), new ImportSite(left));
}

/** Imports, and cancels at that call of Live's. */
function importCancelled(studio: LiveStudio, callOffAt: number | undefined): Promise<unknown> {
  const callOff = new AbortController();
  studio.live.onCall = ({ number }) => {
    if (number === callOffAt) callOff.abort();
  };
  return studio.import({ signal: callOff.signal }).catch((reason: unknown) => reason);
}

/** Returns everything in the Set that Soundferry made. */
function madeIn(studio: LiveStudio) {
  const tracks = studio.newTracks();
  const clips = tracks.flatMap((track) => track.clips);
  const scenes = studio.live.look().scenes.slice(2);
  return { scene: scenes.length, track: tracks.length, clip: clips.length };
}

/** Returns the least and the largest number of things of a kind in the Set, by the steps. */
function reportedBy(steps: readonly JournalStep[], kind: string): { least: number; most: number } {
  const count = (start: string, ...states: readonly JournalStep["state"][]) =>
    steps.filter(({ label, state }) => label.startsWith(start) && states.includes(state)).length;
  const making = `make the ${kind} `;
  const mayBeRemoved = count(
    kind === "clip" ? "remove the " : `remove the ${kind} `,
    "done",
    "begun",
  );
  // A scene that goes takes every clip with it.
  const least = kind === "clip" && mayBeRemoved > 0 ? 0 : count(making, "done") - mayBeRemoved;
  return { least, most: count(making, "done", "begun") - count(`remove the ${kind} `, "done") };
}

/**
 * Imports once more after an interrupted import.
 * @returns whether the error truly named what may be in the Set; otherwise nothing had started, and the import is complete
 */
async function expectTrueError(studio: LiveStudio): Promise<boolean> {
  const before = studio.live.look();
  const made = madeIn(studio);
  const outcome = await studio.import().catch((reason: unknown) => reason);
  // Nothing to ask where at most files were brought into the project.
  if (!(outcome instanceof Error)) {
    expect(made).toEqual({ scene: 0, track: 0, clip: 0 });
    expect(madeIn(studio)).toEqual({ scene: 1, track: 4, clip: 4 });
    expect(await studio.site.listSounds()).toEqual(KIT_FILES);
    return false;
  }
  expect(outcome).toBeInstanceOf(AlreadyPlacedError);
  if (!(outcome instanceof AlreadyPlacedError)) throw outcome;
  for (const [kind, count] of Object.entries(made)) {
    const { least, most } = reportedBy(outcome.steps, kind);
    expect(count, `${kind}s in the Set`).toBeGreaterThanOrEqual(least);
    expect(count, `${kind}s in the Set`).toBeLessThanOrEqual(most);
  }
  for (const { label, state } of outcome.steps) {
    if (state !== "failed") expect(outcome.message).toContain(label);
  }
  expect(studio.live.look()).toEqual(before);
  return true;
}

async function expectWhole(studio: LiveStudio, before: readonly TrackPicture[]): Promise<void> {
  const outcome = await studio.import({ again: true });
  expect(outcome.status).toBe("imported");
  await expectTrueReport(studio, outcome, before);
  const known = new Set(before.map(({ id }) => id));
  const made = studio.newTracks().filter(({ id }) => !known.has(id));
  expect(made.map(({ name }) => name)).toEqual(TRACK_NAMES);
  expect(await studio.site.listSounds()).toEqual(KIT_FILES);
}

/** A restarted importer, after the previous one crashed between placing and reading back. */
async function stoppedAtTheEnd(): Promise<LiveStudio> {
  const last = (await everyStop()).at(-1);
  if (last === undefined) throw new Error("Nothing was asked of Live.");
  return importUntil(last);
}

/** The same importer with a new Live, which has a Set open that has nothing of the package. */
function withEmptySet(studio: LiveStudio): LiveStudio {
  return studio.with(new StandInLive(studio.folder));
}

/**
 * The tests of an extension that is stopped in the middle of an import.
 * @param pick of all moments at which it can be stopped, those that are tried
 */
export function testCrashesOfLive(pick: (stops: readonly Stop[]) => readonly Stop[]): void {
  test("[R4] wherever the extension stops, it reports what is doubled or missing, and “again” completes it", async () => {
    const reported = await inRows(pick(await everyStop()), async (stop) => {
      const studio = await importUntil(stop);
      const wasTold = await expectTrueError(studio);
      if (!wasTold) return false;
      await expectWhole(studio, studio.newTracks());
      return true;
    });
    expect(reported.filter((was) => was).length).toBeGreaterThan(reported.length / 2);
  });

  test("[R4] imports without asking if it stopped while copying files into the project", async () => {
    const studio = await liveStudio();
    await studio.import();
    const files = studio.live.calls.filter(({ label }) => label.startsWith("importIntoProject"));
    expect(files.length).toBe(TRACK_NAMES.length);
    const stops = pick(
      files.flatMap(({ number }) => MOMENTS.map((moment) => ({ moment, call: number }))),
    );
    const reported = await inRows(stops, async (stop) => expectTrueError(await importUntil(stop)));
    expect(reported).toEqual(stops.map(() => false));
  });

  test("[R4] also reports it if Live crashed too and opens a Set without any of it", async () => {
    // From the tenth on: before that files are brought into the project, and nobody is asked.
    const stops = (await everyStop()).filter(({ call }) => call >= 10 && call % 5 === 0);
    await inRows(pick(stops), async (stop) => {
      const emptied = withEmptySet(await importUntil(stop));
      const asked = emptied.import();
      await expect(asked).rejects.toThrow(AlreadyPlacedError);
      expect(madeIn(emptied)).toEqual({ scene: 0, track: 0, clip: 0 });
      await expectWhole(emptied, []);
    });
  });

  test("[R4] reports again what an interrupted run left if the next one is cancelled or fails", async () => {
    const studio = await stoppedAtTheEnd();
    const { live } = studio;
    const first = await studio.import().catch((reason: unknown) => reason);
    expect(first).toBeInstanceOf(AlreadyPlacedError);
    const callOff = new AbortController();
    live.onCall = () => callOff.abort();
    const cancelled = studio.import({ again: true, signal: callOff.signal });
    await expect(cancelled).rejects.toThrow(ImportCancelledError);
    expect(await studio.import().catch((reason: unknown) => reason)).toEqual(first);

    const refusing = studio.with(live.restarted({ failsAlways: /createScene/ }));
    expect((await refusing.import({ again: true })).status).toBe("failed");
    expect(await refusing.import().catch((reason: unknown) => reason)).toEqual(first);
    await expectWhole(studio, studio.newTracks());
    expect((await studio.import()).status).toBe("imported");
  });

  test("[H7][R4] reports what may be left if it stops while undoing a cancelled import", async () => {
    const cancelled = await liveStudio();
    await cancelled.import();
    const callOffAt = cancelled.live.calls.length;
    const whole = await liveStudio();
    await importCancelled(whole, callOffAt);
    const stops = whole.live.calls
      .slice(callOffAt)
      .flatMap(({ number }) => MOMENTS.map((moment) => ({ moment, call: number })));
    expect(stops.length).toBeGreaterThan(8);
    await inRows(pick(stops), async (stop) => {
      const studio = await importUntil(stop, callOffAt);
      expect(await expectTrueError(studio)).toBe(true);
      await expectWhole(studio, studio.newTracks());
    });
  });
}
