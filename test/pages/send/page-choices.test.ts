import { expect, test } from "vitest";
import { draftOf } from "../../../pages/send/sending/draft-of.ts";
import {
  choiceOf,
  type PageSound,
  type SoundEdits,
} from "../../../pages/send/sounds/page-sound.ts";
import {
  formatOutgoing,
  guessFile,
  tempoOf,
  titleOf,
} from "../../../pages/send/sounds/guessed-package.ts";
import { questionsOf } from "../../../pages/send/sounds/sound-row.ts";

const RATE = 44_100;

/** A sound of so many seconds, guessed by its name. */
function sound(fileName: string, seconds: number, edits: SoundEdits = {}): PageSound {
  const known = {
    fileName,
    folderName: null,
    header: {
      encoding: "pcm",
      channels: 1,
      sampleRateHz: RATE,
      bitsPerSample: 16,
      dataOffset: 44,
      dataBytes: seconds * RATE * 2,
      frames: seconds * RATE,
    } as const,
    hints: {},
  };
  const guess = guessFile(known, undefined);
  return { key: fileName, source: new Blob([]), notes: [], ...known, guess, edits };
}

const view = (...sounds: readonly PageSound[]) => ({ title: null, bpm: null, sounds });

test("[G3] where only the tempo or only the length is set, the other follows", () => {
  const loop = (edits: SoundEdits) => choiceOf(sound("Drum Loop 120 BPM.wav", 4, edits));
  expect(loop({})).toMatchObject({ kind: "loop", bpm: "120", lengthBeats: "8" });
  expect(loop({ bpm: "60" })).toMatchObject({ bpm: "60", lengthBeats: "" });
  expect(loop({ lengthBeats: "16" })).toMatchObject({ bpm: "240", lengthBeats: "16" });
  expect(loop({ bpm: "90", lengthBeats: "6" })).toMatchObject({ bpm: "90", lengthBeats: "6" });
  // Not a number yet: what was guessed stays beside it.
  expect(loop({ bpm: "fast" }).lengthBeats).toBe("8");
  // Beyond the fastest tempo.
  expect(loop({ lengthBeats: "4000" }).bpm).toBe("");
});

test("[G3] a package has the tempo of most of its loops, and its title, until they are typed", () => {
  const loops = [sound("Amen 120 BPM.wav", 4), sound("Funk 120 BPM.wav", 2)];
  const other = sound("House 100 BPM.wav", 4.8);
  expect(tempoOf(view(...loops, other))).toBe("120");
  expect(tempoOf(view(...loops.slice(1), other))).toBe("");
  expect(tempoOf({ bpm: "99", sounds: loops })).toBe("99");
  const folderName = "Pack/Kitchen Kit";
  const inFolder = loops.map((loop): PageSound => Object.assign(loop, { folderName }));
  expect(titleOf(view(...inFolder))).toBe("Kitchen Kit");
  expect(titleOf({ title: "Mine", sounds: inFolder })).toBe("Mine");
  expect(draftOf({ ...view(...inFolder), title: "  " }).title).toBe("Kitchen Kit");
});

test("[G10] a loop without tempo is a question until a person answers it, in either way", () => {
  const idea = sound("Idea.wav", 3.28);
  expect(questionsOf(view(idea))).toMatchObject({ kind: [idea], tempo: [] });
  const loop = sound("Idea.wav", 3.28, { kind: "loop" });
  expect(questionsOf(view(loop))).toMatchObject({ kind: [], tempo: [loop] });
  for (const edits of [{ bpm: "80" }, { lengthBeats: "4" }, { isTempoOpen: true }]) {
    const answered = sound("Idea.wav", 3.28, { kind: "loop", ...edits });
    expect(questionsOf(view(answered)).tempo).toEqual([]);
  }
  expect(questionsOf({ bpm: "80", sounds: [loop] }).tempo).toEqual([]);
});

test("[G10] a loop that is sent without tempo doesn't get that of the others", () => {
  const loop = sound("Amen 120 BPM.wav", 4);
  const open = sound("Idea.wav", 3.28, { kind: "loop", isTempoOpen: true });
  expect(draftOf(view(loop)).bpm).toBe(120);
  const draft = draftOf(view(loop, open));
  expect(draft.bpm).toBeUndefined();
  expect(draft.sounds[1]).toMatchObject({ kind: "loop", bpm: undefined, lengthBeats: undefined });
});

test("[G10] says what will be sent", () => {
  const loop = sound("Amen Loop 120 BPM.wav", 4);
  const kick = sound("Kick.wav", 0.2);
  const idea = sound("Idea.wav", 3.28);
  expect(formatOutgoing(view())).toBe("");
  expect(formatOutgoing({ ...view(loop, kick), title: "Kit" })).toBe(
    "1 loop at 120 BPM, 1 one-shot → scene Kit",
  );
  const slow = sound("House 100 BPM.wav", 4.8);
  expect(formatOutgoing({ ...view(loop, slow, idea), title: "Kit" })).toBe(
    "2 loops at 100–120 BPM, 1 undecided → scene Kit",
  );
});
