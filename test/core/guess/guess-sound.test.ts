import { describe, expect, test } from "vitest";
import { guessSound } from "../../../core/guess/guess-sound.ts";
import type { GuessInput } from "../../../core/guess/sound-guess.ts";

/** Guesses a file of so many seconds. */
function guess(fileName: string, seconds: number, more: Partial<GuessInput> = {}) {
  const sampleRateHz = 44_100;
  const frames = Math.round(seconds * sampleRateHz);
  return guessSound({ fileName, frames, sampleRateHz, hints: {}, ...more });
}
const beats = (count: number, bpm: number) => (count * 60) / bpm;
/** Fits no whole tempo. */
const NO_TEMPO_SECONDS = 5.0137;

describe("[Y1] the kind", () => {
  test("of a riser is one-shot at any tempo, unless it is called a loop", () => {
    const seconds = beats(32, 128);
    expect(guess("Riser 128 BPM.wav", seconds)).toMatchObject({ kind: "oneshot", bpm: null });
    expect(guess("Riser Loop 128 BPM.wav", seconds)).toMatchObject({ kind: "loop", bpm: 128 });
  });

  test("of a crash is one-shot beside a tempo, unless it is called a loop", () => {
    expect(guess("Crash 128bpm.wav", beats(8, 128)).kind).toBe("oneshot");
    expect(guess("Crash Loop 128bpm.wav", beats(8, 128)).kind).toBe("loop");
  });

  test("is what the last of loop and hit says", () => {
    expect(guess("Loop Hit.wav", 1.3).kind).toBe("oneshot");
    expect(guess("Hit Loop 120 bpm.wav", beats(8, 120)).kind).toBe("loop");
  });

  test("comes from the folder where the name says nothing, and not against the name", () => {
    const folderName = "Pack/One Shots";
    expect(guess("Glass.wav", 2, { folderName }).kind).toBe("oneshot");
    expect(guess("Glass Loop 120bpm.wav", 2, { folderName }).kind).toBe("loop");
    expect(guess("Kick.wav", 0.4, { folderName: "Loops 120 BPM" }).kind).toBe("oneshot");
  });

  test("of a sound of minutes is not said by an instrument, but by loop or a tempo", () => {
    expect(guess("Drums.wav", 20.0137).kind).toBe("loop");
    expect(guess("Drums.wav", 180.0137).kind).toBeNull();
    expect(guess("Kick.wav", 180.0137).kind).toBeNull();
    expect(guess("Drums.wav", 180.0137, { folderName: "Drums/Beats" }).kind).toBeNull();
    expect(guess("Drum Loop.wav", 180.0137).kind).toBe("loop");
    expect(guess("Drums 97 BPM.wav", 180.0137)).toMatchObject({ kind: "loop", bpm: 97 });
    expect(guess("Explosion.wav", 180.0137).kind).toBe("oneshot");
  });

  test("of a round length without a word is undecided, of a fitting odd one a loop", () => {
    expect(guess("Glass.wav", 4).kind).toBeNull();
    expect(guess("Glass.wav", beats(8, 127)).kind).toBe("loop");
  });

  test("a folder of drums gives its role, but not to a sound that has a key", () => {
    const folderName = "Kitchen Kit";
    expect(guess("Lid.wav", 0.4, { folderName }).role).toBe("drums");
    const runner = guess("Acid Runner 124 Am.wav", beats(8, 124), { folderName });
    expect(runner).toMatchObject({ kind: "loop", bpm: 124, key: "A minor", role: null });
  });

  test("of a single note is one-shot", () => {
    expect(guess("Piano C3.wav", beats(8, 127)).kind).not.toBe("loop");
    expect(guess("Piano C3.wav", 5)).toMatchObject({ kind: "oneshot", role: "melodic" });
  });

  test.each(["Kick", "Snare", "Hat", "Clap", "Tom", "Perc", "Sample", "909", "", "Zz"])(
    "of %s is never loop below half a second, whatever fits",
    (name) => {
      for (const bpm of [120, 126, 128, 140, 174]) {
        expect(guess(`${name} ${bpm}.wav`, beats(1, bpm)).kind).not.toBe("loop");
      }
    },
  );
});

describe("[Y2] the tempo", () => {
  test("is the number beside bpm; the rest is tail", () => {
    expect(guess("Loop 130 BPM.wav", beats(16, 130) + 1.1)).toMatchObject({
      bpm: 130,
      lengthBeats: 16,
    });
    expect(guess("Loop 130 BPM.wav", beats(17, 130))).toMatchObject({ lengthBeats: 16 });
    expect(guess("Loop 87,5bpm.wav", beats(8, 87.5))).toMatchObject({ bpm: 87.5 });
    expect(guess("bpm_130 Loop.wav", beats(8, 130))).toMatchObject({ bpm: 130 });
  });

  test("is a bare number only within 10 ms of whole beats, or 5 % of a power of two", () => {
    const near = (off: number) => guess("Bass Loop 130.wav", beats(16, 130) + off);
    expect(near(0.009)).toMatchObject({ bpm: 130, lengthBeats: 16 });
    const { bpm, lengthBeats } = near(0.2);
    expect(lengthBeats).toBe(16);
    expect(bpm).toBeCloseTo((16 * 60) / (beats(16, 130) + 0.2), 2);
    expect(near(beats(3.4, 130)).bpm).not.toBe(130);
  });

  test("settles half and double", () => {
    for (const bpm of [87, 174]) {
      expect(guess(`break ${bpm}.wav`, beats(16, 174))).toMatchObject({ kind: "loop", bpm });
    }
    expect(guess("DnB Break.wav", beats(16, 174)).bpm).toBe(174);
    expect(guess("Hip Hop Break.wav", beats(16, 174)).bpm).toBe(87);
  });

  test("of a length that fits no whole tempo is guessed for a break only", () => {
    expect(guess("Funk Break.wav", NO_TEMPO_SECONDS).bpm).toBeCloseTo(95.738, 3);
    expect(guess("Drum Loop.wav", NO_TEMPO_SECONDS)).toMatchObject({ kind: "loop", bpm: null });
  });

  test("is that of the part that a sampler loops, where the name says loop", () => {
    const sampler = { startFrame: 0, endFrame: Math.round(beats(16, 92) * 44_100) - 1 };
    const hints = { sampler };
    const withTail = beats(16, 92) + 0.8;
    expect(guess("Rhodes Loop.wav", withTail, { hints })).toMatchObject({
      kind: "loop",
      bpm: 92,
      lengthBeats: 16,
    });
    expect(guess("Rhodes.wav", withTail, { hints }).kind).not.toBe("loop");
    const late = { sampler: { ...sampler, startFrame: 500 } };
    expect(guess("Rhodes Loop.wav", withTail, { hints: late }).bpm).toBeNull();
  });

  test("is read beside every key, whatever separates them", () => {
    const tonics = ["C", "C#", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"];
    for (const tonic of tonics) {
      for (const mode of ["m", "min", "maj", " minor", "_Major"]) {
        for (const separator of [" ", "_", "-", " - "]) {
          const key = `${tonic}${mode}`;
          for (const parts of [
            ["amen", "172", key],
            ["172", key, "amen"],
            [key, "172", "amen"],
            ["amen", key, "172"],
          ]) {
            const name = parts.join(separator);
            const isMinor = /^[ _]?mi?n?o?r?$/i.test(mode);
            expect([name, guess(`${name}.wav`, beats(16, 172))]).toMatchObject([
              name,
              { kind: "loop", bpm: 172, key: `${tonic} ${isMinor ? "minor" : "major"}` },
            ]);
          }
        }
      }
    }
  });

  test.each(["st", "stereo", "mono", "dry", "wet", "full", "master", "in C", "D", "S", "final"])(
    "is read before %s",
    (ending) => {
      for (const separator of [" ", "_", "-"]) {
        const name = ["Bass Loop", "110", ending].join(separator);
        expect(guess(`${name}.wav`, beats(12, 110))).toMatchObject({ bpm: 110 });
      }
    },
  );

  test.each([
    "TR-808 Loop",
    "909 Loop",
    "SP1200 Loop",
    "Juno-106 Loop",
    "SH-101 Loop",
    "DX100 Loop",
    "CR-78 Loop",
    "Loop 1996",
    "2024-03-12 Loop",
    "Loop 96kHz",
    "Loop 88.2k",
    "Loop 24-96",
    "Loop 120Hz",
    "Loop 120 ms",
    "Loop v96",
    "Loop take 96",
    "SM120 Loop",
    "Loop vel120",
    "Vol. 120 Loop",
    "Loop #120",
    "Loop 120th",
  ])("is not in %s", (name) => {
    for (const bpm of [60, 78, 88.2, 96, 100, 101, 106, 120]) {
      // Sixteen beats and four fifths: a number in the name would be 5 % near, the length fits nothing.
      expect(guess(`${name}.wav`, beats(16, bpm) * 1.0137).because).not.toMatch(
        /in the name;|near/,
      );
    }
  });

  test("is the package's where whole beats of it fit", () => {
    expect(guess("Kitchen.wav", beats(9, 90), { packageBpm: 90 })).toMatchObject({
      kind: "loop",
      bpm: 90,
      lengthBeats: 9,
    });
    expect(guess("Kitchen Loop 120.wav", beats(16, 120), { packageBpm: 90 }).bpm).toBe(120);
  });

  test("is the folder's if the name has none", () => {
    const folderName = "Breaks 170";
    expect(guess("07.wav", beats(16, 170), { folderName })).toMatchObject({ bpm: 170 });
    expect(guess("Break 85.wav", beats(16, 170), { folderName })).toMatchObject({ bpm: 85 });
  });

  test("of an acid chunk counts where it agrees with the length", () => {
    const acid = { isOneShot: false, beats: 13, tempoBpm: Math.fround(97.3) };
    expect(guess("x.wav", beats(13, 97.3), { hints: { acid } })).toMatchObject({ bpm: 97.3 });
    expect(guess("Loop.wav", NO_TEMPO_SECONDS, { hints: { acid } }).bpm).toBeNull();
    const oneShot = { ...acid, isOneShot: true };
    expect(guess("x.wav", beats(13, 97.3), { hints: { acid: oneShot } }).bpm).toBeNull();
  });

  test("is in the manifest's limits, whatever the name says", () => {
    for (const name of ["0 bpm", "5 bpm", "19 bpm", "0.001 BPM", "999 bpm", "bpm 000"]) {
      const { bpm, lengthBeats } = guess(`Loop ${name}.wav`, beats(16, 125));
      expect(bpm).toBeGreaterThanOrEqual(20);
      expect(bpm).toBeLessThanOrEqual(999);
      expect(lengthBeats).toBeGreaterThan(0);
    }
  });
});

describe("[Y3] what is undecided", () => {
  test("is said, with its reason", () => {
    expect(guess("New Recording.wav", 8.4137)).toMatchObject({
      kind: null,
      bpm: null,
      because: "Neither name nor length says whether it is a loop.",
      confidence: { kind: 0, bpm: 0 },
    });
    expect(guess("Guitar Loop.wav", NO_TEMPO_SECONDS)).toMatchObject({
      kind: "loop",
      bpm: null,
      lengthBeats: null,
      because: "“Loop” in the name says loop. Its tempo is unknown.",
    });
  });

  test("has the tempo that it would have as a loop", () => {
    expect(guess("Glass.wav", 4)).toMatchObject({ kind: null, bpm: 120, lengthBeats: 8 });
  });

  test("never holds for an explicit loop, at any length above a second", () => {
    for (let seconds = 1; seconds < 60; seconds += 0.317) {
      expect(guess("Loop.wav", seconds).kind).toBe("loop");
    }
  });
});

describe("[Y6] a key", () => {
  test.each([
    ["Amen Loop Cmin", "C minor"],
    ["Pad Ebmaj", "Eb major"],
    ["Pad_F#m_01", "F# minor"],
    ["Pad c_minor", "C minor"],
    ["120_am_pad", "A minor"],
    ["Bass C#", "C#"],
    ["Pad A♭ Major", "Ab major"],
    ["Gitarre a-Moll", "A minor"],
    ["Klavier Fis-Dur", "F# major"],
    ["Klavier h-Moll", "B minor"],
    ["Klavier B-Dur", "Bb major"],
    ["Basse la mineur", "A minor"],
    ["Cuerdas Sib mayor", "Bb major"],
    ["Keys D Minor", "D minor"],
  ])("is read from %s", (name, key) => {
    expect(guess(`${name}.wav`, 5).key).toBe(key);
  });

  test.each([
    "Piano C3",
    "FM Bass",
    "30 cm gong",
    "A Minute",
    "Amen",
    "3 am jam",
    "Domino",
    "Loop A",
  ])("is not in %s", (name) => {
    expect(guess(`${name}.wav`, 5).key).toBeNull();
  });
});
