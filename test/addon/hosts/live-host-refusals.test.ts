import { describe, expect, test } from "vitest";
import { DiskError } from "../../../addon/disk/disk-error.ts";
import { type HostJournal, LeftBehindError } from "../../../addon/hosts/host.ts";
import { AlreadyPlacedError } from "../../../addon/hosts/already-placed.ts";
import { ImportCancelledError } from "../../../core/importer/import-errors.ts";
import { inRows } from "./in-rows.ts";
import {
  KIT,
  liveStudio,
  type LiveStudio,
  type StudioOptions,
  TRACK_NAMES,
} from "./live-studio.ts";
import { expectTrueReport } from "./true-report.ts";
import { withoutJournal } from "../../contracts/host/host-contract.ts";

/** Returns everything that a person would find in the Set: no undo steps, no samples in the project. */
function setOf({ live }: LiveStudio) {
  const { tempoBpm, scenes, tracks } = live.look();
  return { tempoBpm, scenes, tracks };
}

/** The number of each call that a whole import makes of Live. */
async function everyCall(options: StudioOptions = {}): Promise<readonly number[]> {
  const studio = await liveStudio(options);
  await studio.import();
  return studio.live.calls.map(({ number }) => number);
}

describe("a scene or a track that can't be made", () => {
  test.each([
    [/createScene/, "Live couldn't make the scene Kit (Looper)."],
    [/createAudioTrack/, expect.stringMatching(/^Live couldn't make the track \w+ \(Looper\)\.$/)],
  ])("[H7][H8] costs every sound, and nothing stays: %s", async (failsOnce, error) => {
    const studio = await liveStudio({ failsOnce });
    const before = setOf(studio);
    const outcome = await studio.import();
    expect(outcome.status).toBe("failed");
    expect(outcome.tracks.map((sound) => sound.error)).toEqual(Array(4).fill(error));
    expect(setOf(studio)).toEqual(before);
    expect((await studio.import()).status).toBe("imported");
  });

  test("[H7] names what stays if it can't be removed again", async () => {
    const options = { failsOnce: /createAudioTrack/, failsAlways: /delete/ };
    const studio = await liveStudio(options);
    const error = await studio.import().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(LeftBehindError);
    for (const { name } of studio.newTracks()) {
      expect(error).toMatchObject({ message: expect.stringContaining(name) });
    }
    expect(studio.newTracks()).toHaveLength(3);
  });
});

describe("a clip that can't be made", () => {
  test("[H7][H8] costs its sound, with its track, and no other", async () => {
    for (const name of ["Beat", "Bass", "Kick"]) {
      const studio = await liveStudio({ failsAlways: new RegExp(`createAudioClip ${name}`) });
      const outcome = await studio.import();
      expect(outcome.status).toBe("partial");
      const failed = outcome.tracks.filter(({ status }) => status === "failed");
      expect(failed.map(({ error }) => error)).toEqual([`Live couldn't make the clip ${name}.`]);
      const names = studio.newTracks().map((track) => track.name);
      expect(names).toEqual(TRACK_NAMES.filter((track) => !track.startsWith(name)));
      await expectTrueReport(studio, outcome);
    }
  });

  test("[H7] because its slot is not empty costs its sound", async () => {
    const studio = await liveStudio({ occupiedTracks: [1] });
    const outcome = await studio.import();
    const failed = outcome.tracks.filter(({ status }) => status === "failed");
    expect(failed.map(({ error }) => error)).toEqual([
      expect.stringMatching(/^Live couldn't make the clip \w+: its clip slot is not empty\.$/),
    ]);
    expect(studio.newTracks()).toHaveLength(3);
    await expectTrueReport(studio, outcome);
  });

  test("[H7] says so when its empty track can't be removed", async () => {
    const studio = await liveStudio({ failsAlways: /createAudioClip Bass|deleteTrack/ });
    const outcome = await studio.import();
    expect(outcome.tracks[1]?.error).toBe(
      "Live couldn't make the clip Bass. Its empty track stays.",
    );
    await expectTrueReport(studio, outcome);
  });

  test("[H7] doesn't mention an empty track that its user removed meanwhile", async () => {
    const studio = await liveStudio({ failsAlways: /createAudioClip Bass/ });
    studio.live.onCall = ({ label }) => {
      if (label === "deleteTrack Bass (Looper)") studio.live.deleteTrackByHand("Bass (Looper)");
    };
    const outcome = await studio.import();
    expect(outcome.tracks[1]?.error).toBe("Live couldn't make the clip Bass.");
    await expectTrueReport(studio, outcome);
  });

  test("[H7] doesn't mention an empty track that is removed at the second attempt", async () => {
    const failsOnce = /deleteTrack/;
    const studio = await liveStudio({ failsOnce, failsAlways: /createAudioClip Bass/ });
    const outcome = await studio.import();
    expect(outcome.tracks[1]?.error).toBe("Live couldn't make the clip Bass.");
    await expectTrueReport(studio, outcome);
  });

  test("[H7][R4] and what was made for none can be removed: what stays is named once, and asked about", async () => {
    const studio = await liveStudio({ failsAlways: /createAudioClip|deleteScene/ });
    const error = await studio.import().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(LeftBehindError);
    const reported = "Live couldn't make the clip Beat. Still in the Set: Kit (Looper).";
    expect(error).toMatchObject({ message: reported });
    await expect(studio.import()).rejects.toThrow(AlreadyPlacedError);
  });

  test("[H7] reports an empty scene if it is the only one", async () => {
    const studio = await liveStudio({ failsAlways: /createAudioClip/ });
    const outcome = await studio.import();
    expect(outcome.status).toBe("failed");
    await expectTrueReport(studio, outcome);
  });
});

test("[H4][H7][H8] if any single call fails, the report is true and names the step", async () => {
  const sounds = KIT.slice(1);
  await inRows(await everyCall({ sounds }), async (failsOnce) => {
    const studio = await liveStudio({ sounds, failsOnce });
    const outcome = await studio.import();
    await expectTrueReport(studio, outcome);
    if (outcome.status === "failed") expect(studio.live.look().scenes).toHaveLength(2);
  });
});

test("[H7] a journal that can't be written ends the run at any step and leaves the Set unchanged", async () => {
  const sounds = KIT.slice(2);
  const steps = [...(await everyCall({ sounds })).keys()];
  const reasons = await inRows(steps, async (step) => {
    const studio = await liveStudio({ sounds });
    const before = setOf(studio);
    const { host } = studio;
    const place = host.place.bind(host);
    host.place = (request) => place({ ...request, journal: failingAt(request.journal, step) });
    const outcome = await studio.import().catch((reason: unknown) => reason);
    if (outcome instanceof DiskError) expect(setOf(studio)).toEqual(before);
    return outcome;
  });
  const diskErrors = reasons.filter((reason) => reason instanceof DiskError);
  expect(diskErrors.length).toBeGreaterThan(10);
  for (const reason of reasons.slice(diskErrors.length)) {
    expect(reason).toMatchObject({ status: "imported" });
  }
});

/** A journal whose n-th line, counted from 0, meets a full disk. */
function failingAt(journal: HostJournal, step: number): HostJournal {
  let written = 0;
  return {
    runId: journal.runId,
    earlier: journal.earlier,
    together: withoutJournal,
    step: (label, act) => {
      written += 1;
      if (written !== step + 1) return journal.step(label, act);
      const full = { code: "ENOSPC", syscall: "write" };
      return Promise.reject(Object.assign(new Error("ENOSPC"), full));
    },
  };
}

describe("Cancel", () => {
  /** A one-shot and a loop with a gained copy. */
  const sounds = KIT.slice(2);

  /** Imports under Live's progress dialog, whose Cancel is clicked when Live is asked the n-th call. */
  async function cancelAt(call: number, options: StudioOptions = {}) {
    const studio = await liveStudio({ sounds, ...options });
    const { live } = studio;
    const before = setOf(studio);
    live.onCall = ({ number }) => {
      if (number === call) live.ui.cancel();
    };
    const sessionTempo = options.correctsTempo === true ? {} : { sessionTempoBpm: 125 };
    const outcome = await live.context.ui.withinProgressDialog("Import", {}, (_, signal) =>
      studio.import({ signal, ...sessionTempo }).catch((reason: unknown) => reason),
    );
    live.onCall = () => undefined;
    return { studio, before, outcome };
  }

  test("[H7][R4] leaves the Set unchanged at any moment, and the package can be imported at once", async () => {
    const cancelled = await inRows(await everyCall({ sounds }), async (call) => {
      const { studio, before, outcome } = await cancelAt(call);
      expect(outcome).toBeInstanceOf(ImportCancelledError);
      expect(setOf(studio)).toEqual(before);
      await expectTrueReport(studio, await studio.import());
    });
    expect(cancelled.length).toBeGreaterThan(10);
  });

  test("[H6][H7] also leaves the Set unchanged while clips are made again", async () => {
    const options = { sounds, correctsTempo: true, firstTempoBpm: 60 };
    await inRows(await everyCall(options), async (call) => {
      const { studio, before, outcome } = await cancelAt(call, options);
      expect(outcome).toBeInstanceOf(ImportCancelledError);
      expect(setOf(studio)).toEqual(before);
    });
  });

  test("[R6][H7] names the tempo that Live couldn't put back", async () => {
    const calls = await everyCall({ sounds });
    const { studio, outcome } = await cancelAt(calls.length, { failsAlways: /tempo = 120/ });
    expect(studio.live.look().tempoBpm).toBe(125);
    expect(outcome).toBeInstanceOf(LeftBehindError);
    expect(outcome).toMatchObject({ message: expect.stringMatching(/tempo of 125 BPM/) });
  });

  test("[H7][R4] names what Live couldn't remove, and asks before it imports again", async () => {
    await inRows(await everyCall({ sounds }), async (call) => {
      const { studio, before, outcome } = await cancelAt(call, { failsAlways: /delete/ });
      if (outcome instanceof LeftBehindError) {
        for (const { name } of studio.newTracks()) expect(outcome.message).toContain(name);
        for (const scene of studio.live.look().scenes.slice(2)) {
          expect(outcome.message).toContain(scene);
        }
        await expect(studio.import()).rejects.toThrow(AlreadyPlacedError);
      } else {
        expect(outcome).toBeInstanceOf(ImportCancelledError);
        expect(setOf(studio)).toEqual(before);
      }
    });
  });

  test("[H7] takes one more undo step", async () => {
    const calls = await everyCall({ sounds });
    const { studio } = await cancelAt(calls.length - 1);
    const { undoSteps } = studio.live.look();
    const removing = undoSteps.filter((step) => step.some((label) => label.startsWith("delete")));
    expect(removing).toHaveLength(1);
  });
});
