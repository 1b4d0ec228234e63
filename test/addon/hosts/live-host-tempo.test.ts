import { describe, expect, test } from "vitest";
import type { ImportOutcome } from "../../../core/protocol/import-outcome.ts";
import { inRows } from "./in-rows.ts";
import { KIT, liveStudio, type LiveStudio } from "./live-studio.ts";
import { expectTrueReport } from "./true-report.ts";

const LOOPS = KIT.filter(({ kind }) => kind === "loop").length;

function tempoDifferences({ tracks }: ImportOutcome): readonly unknown[] {
  return tracks.flatMap(({ differences }) =>
    differences.flatMap(({ setting, asked, got }) =>
      setting === "tempo_bpm" ? [[asked, got]] : [],
    ),
  );
}

function tempoCalls({ live }: LiveStudio): readonly string[] {
  return live.calls.flatMap(({ label }) => (label.startsWith("tempo") ? [label] : []));
}

describe("the tempo that Live detects", () => {
  test.each([
    ["half", 62.5],
    ["double", 250],
    ["off", 128.75],
    [124.8, 124.8],
    [125.2, 125.2],
  ] as const)(
    "[H6] is a difference of every loop where it is not the sound's: %s",
    async (guess, got) => {
      const studio = await liveStudio({ guess });
      const outcome = await studio.import();
      const reported = [125, expect.closeTo(got, 3)];
      expect(tempoDifferences(outcome)).toEqual([reported, reported, reported]);
      expect(outcome.tracks[2]?.differences).toEqual([]);
      await expectTrueReport(studio, outcome);
    },
  );

  test.each([124.9, 125, 125.1])("[H6] is none within a thousandth: %s", async (guess) => {
    const studio = await liveStudio({ guess });
    expect(tempoDifferences(await studio.import())).toEqual([]);
  });

  test("[H6] is not corrected by default", async () => {
    const studio = await liveStudio({ firstTempoBpm: 60 });
    const outcome = await studio.import();
    expect(tempoDifferences(outcome)).toHaveLength(LOOPS);
    expect(tempoCalls(studio)).toEqual([]);
  });
});

describe("with the option to correct it", () => {
  const correctsTempo = true;

  test("[H6] the clip is made again at the loop's tempo, and the Set gets its own back", async () => {
    const studio = await liveStudio({ correctsTempo, firstTempoBpm: 60 });
    const outcome = await studio.import();
    expect(outcome.tracks.flatMap(({ differences }) => differences)).toEqual([]);
    expect(studio.live.look().tempoBpm).toBe(60);
    await expectTrueReport(studio, outcome);
  });

  test("[H6] nothing is made again where Live detected the right tempo", async () => {
    const studio = await liveStudio({ correctsTempo });
    await studio.import();
    expect(tempoCalls(studio)).toEqual([]);
    expect(studio.live.look().undoSteps).toHaveLength(3);
  });

  test("[H6] a guess that stays wrong stays a difference", async () => {
    const studio = await liveStudio({ correctsTempo, guess: "half" });
    const outcome = await studio.import();
    expect(tempoDifferences(outcome)).toHaveLength(LOOPS);
    expect(studio.live.look().tempoBpm).toBe(120);
    await expectTrueReport(studio, outcome);
  });

  test.each([/deleteClip/, /tempo = 125/, /clip\.color/, /clip\.warpMode/])(
    "[H6] the report is true where Live refuses a step of it: %s",
    async (failsAlways) => {
      const studio = await liveStudio({ correctsTempo, firstTempoBpm: 60, failsAlways });
      const outcome = await studio.import();
      expect(studio.live.look().tempoBpm).toBe(60);
      await expectTrueReport(studio, outcome);
    },
  );

  test("[H6] the report is true, and the tempo put back, whatever call of it fails", async () => {
    const whole = await liveStudio({ correctsTempo, firstTempoBpm: 60 });
    await whole.import();
    const numbers = whole.live.calls.map(({ number }) => number);
    const first = whole.live.calls.find(({ label }) => label.startsWith("tempo"))?.number;
    expect(first).toBeLessThan(numbers.length);
    await inRows(numbers.slice(first), async (failsOnce) => {
      const studio = await liveStudio({ correctsTempo, firstTempoBpm: 60, failsOnce });
      const outcome = await studio.import();
      await expectTrueReport(studio, outcome);
      const { tempoBpm } = studio.live.look();
      const notes = outcome.tracks.flatMap((sound) => sound.notes).join(" ");
      if (tempoBpm !== 60) expect(notes, String(failsOnce)).toMatch(/tempo/);
    });
  });
});

describe("the Set's tempo", () => {
  test("[R6] is set before anything is placed, as an undo step of its own", async () => {
    const studio = await liveStudio();
    const outcome = await studio.import({ sessionTempoBpm: 125 });
    expect(outcome.status).toBe("imported");
    const { tempoBpm, undoSteps } = studio.live.look();
    expect(tempoBpm).toBe(125);
    expect(undoSteps).toHaveLength(4);
    expect(undoSteps[0]).toEqual(["tempo = 125"]);
    expect(await studio.host.readTempo?.()).toBe(125);
  });

  test("[R6] is put back when the run fails", async () => {
    for (const failsOnce of [/createScene/, /createAudioTrack/]) {
      const studio = await liveStudio({ failsOnce });
      const outcome = await studio.import({ sessionTempoBpm: 125 });
      expect(outcome.status).toBe("failed");
      expect(studio.live.look().tempoBpm).toBe(120);
    }
  });

  test("[R6] that Live couldn't set is in every loop's notes, and the run continues", async () => {
    const studio = await liveStudio({ failsAlways: /tempo =/ });
    const outcome = await studio.import({ sessionTempoBpm: 125 });
    expect(outcome.status).toBe("imported");
    const reported = outcome.tracks.map(({ notes }) => notes.some((note) => /tempo/.test(note)));
    expect(reported).toEqual([true, true, false, true]);
  });

  test("[R6] is read as a plain number", async () => {
    const { host } = await liveStudio({ firstTempoBpm: 93 });
    expect(await host.readTempo?.()).toBe(93);
    const other = await liveStudio({ firstTempoBpm: 93.5 });
    expect(await other.host.readTempo?.()).toBe(93.5);
  });
});
