import { expect, onTestFinished, test, vi } from "vitest";
import { guess } from "../../../client/audio/guess.ts";
import { draftOfSession } from "../../../client/send/session/draft-of-session.ts";
import { guessList } from "../../../client/send/session/guess-list.ts";
import { questionsOf, tempoOf } from "../../../client/send/session/open-questions.ts";
import {
  choiceOf,
  type SessionSound,
  type SoundEdits,
} from "../../../client/send/session/session-sound.ts";
import { BEATS, BPM, GAIN, isWrong, numberOf } from "../../../client/send/session/typed-numbers.ts";
import { formatOutgoing } from "../../../pages/send/sounds/format-outgoing.ts";
import { readCodeInAddress } from "../../../client/pairing/pairing-link.ts";
import { formatRoute, relayOfPage } from "../../../pages/send/pairing/format-route.ts";
import { formatProgress } from "../../../client/send/words/format-status.ts";
import { inEnglish } from "../../../core/messages/translate.ts";
import { soundRows } from "../../../pages/send/sounds/sound-row.ts";
import { inOrder, isSoundFile } from "../../../pages/send/sounds/sound-files.ts";

const RATE = 44_100;

/** A sound of so many seconds, guessed by its name. */
function sound(fileName: string, seconds: number, edits: SoundEdits = {}): SessionSound {
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
  const guessed = guess(fileName, known.hints, known.header);
  const source = new Blob([]);
  return {
    key: fileName,
    source,
    from: null,
    repairs: [],
    rest: {},
    ...known,
    guess: guessed,
    edits,
  };
}

const view = (...sounds: readonly SessionSound[]) => ({
  title: null,
  suggestion: "Kit",
  bpm: null,
  sounds,
  groups: [],
  packAnswer: null,
  series: null,
});
const draftOf = (one: ReturnType<typeof view>) => draftOfSession(one, { appName: "Page" });

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
  const typed = (title: string) => draftOfSession({ ...view(), title }, { appName: "Page" }).title;
  expect([typed("Mine"), typed("  ")]).toEqual(["Mine", "Kit"]);
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

test("[G10][G19] says what will be sent of a recording, which is no question", () => {
  const names = ["Drums", "Bass", "Keys"].map((part) => `Neon Rain (${part}).wav`);
  const all = [...names.map((name) => sound(name, 180)), sound("Kick.wav", 0.2)];
  const outgoing = (packageBpm?: number) => {
    const { sounds, groups, suggestion } = guessList(all, packageBpm);
    expect(questionsOf(view(...sounds))).toEqual({ kind: [], tempo: [] });
    const shown = { ...view(...sounds), groups, suggestion };
    const grouped = soundRows(shown).filter(({ isGrouped }) => isGrouped === true);
    expect(grouped.map(({ name, state }) => `${name}: ${state?.words}`)).toEqual([
      "Drums: Stem",
      "Bass: Stem",
      "Keys: Stem",
    ]);
    return formatOutgoing(shown);
  };
  expect(outgoing()).toBe("3 stems of Neon Rain as recorded, 1 one-shot → scene Neon Rain");
  expect(outgoing(97)).toBe("3 stems of Neon Rain in time at 97 BPM, 1 one-shot → scene Neon Rain");
});

test("[G2] reads the code after #code= in any spelling", () => {
  expect(readCodeInAddress("#code=K7MQ2X")).toBe("K7MQ2X");
  expect(readCodeInAddress("#code=K7M%20Q2X&from=qr")).toBe("K7M Q2X");
  expect(["", "#", "#code=", "#other=1"].map(readCodeInAddress)).toEqual([null, null, null, null]);
});

test("[G1] the relay is where the page came from, under a path too, unless the page names one", () => {
  expect(relayOfPage("", "https://relay.example/")).toBe("https://relay.example");
  expect(relayOfPage("", "https://example.org/ferry/?a=1#b")).toBe("https://example.org/ferry");
  expect(relayOfPage("http://127.0.0.1:4700", "https://app.example/")).toBe(
    "http://127.0.0.1:4700",
  );
});

test("[G8] says what the browser may ask, who could listen in, and what browsers block", () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  const own = "https://relay.example";
  expect(formatRoute(`${own}/`, own)).toEqual([]);
  expect(formatRoute("http://127.0.0.1:4700/", "http://127.0.0.1:4700")).toEqual([]);
  const plain = formatRoute("http://192.168.1.5:4700/", "http://192.168.1.5:4700");
  expect(plain).toEqual([expect.stringContaining("plain http")]);
  const local = formatRoute("https://app.example/", "http://127.0.0.1:4700");
  expect(local).toEqual([expect.stringContaining("on this computer (127.0.0.1:4700)")]);
  for (const host of ["10.0.0.2", "172.20.1.1", "relay.local", "nas", "[fd12::1]"]) {
    const [sentence] = formatRoute("https://app.example/", `https://${host}`);
    expect(sentence).toContain("in your own network");
  }
  vi.stubGlobal("Request", { prototype: { targetAddressSpace: "unknown" } });
  const [asked] = formatRoute("https://app.example/", "http://192.168.1.5:4700");
  expect(asked).toContain("in your own network");
  const mixed = formatRoute("https://app.example/", "http://relay.example");
  expect(mixed).toEqual([expect.stringContaining("Open http://relay.example/ instead")]);
});

test("[G3] reads numbers as people type them, and reports invalid ones", () => {
  expect(numberOf(" 126,5 ", BPM)).toBe(126.5);
  expect(numberOf("−3.5", GAIN)).toBe(-3.5);
  expect([numberOf("", BEATS), isWrong("", BEATS)]).toEqual([undefined, false]);
  for (const wrong of ["19", "1000", "1e3", "fast", "0x80", "-", "."]) {
    expect([numberOf(wrong, BPM), isWrong(wrong, BPM)], wrong).toEqual([undefined, true]);
  }
  expect([isWrong("0", BEATS), isWrong("25", GAIN)]).toEqual([true, true]);
  expect(BPM.sentence(inEnglish)).toBe("A tempo is a number from 20 to 999.");
  expect(GAIN.sentence(inEnglish)).toBe("A gain is a number of dB from −70 to 24.");
});

test("[G4] skips a folder's other files, and sorts files by number", () => {
  const names = ["Kick.wav", "cover.jpg", ".hidden.wav", "Set.als", "pad.FLAC", "wav"];
  expect(names.filter(isSoundFile)).toEqual(["Kick.wav", "pad.FLAC"]);
  const files = ["Loop 10.wav", "Loop 9.wav", "loop 1.wav"].map((name) => ({
    file: new File([], name),
    folderName: null,
  }));
  expect(inOrder(files).map(({ file }) => file.name)).toEqual([
    "loop 1.wav",
    "Loop 9.wav",
    "Loop 10.wav",
  ]);
});

test("[G5] progress says how much was sent, and that the relay still has to answer", () => {
  const at = (phase: "hashing" | "uploading", doneBytes: number) =>
    formatProgress(inEnglish, {
      phase,
      id: "1",
      name: "a",
      file: "a.wav",
      fileBytes: 0,
      doneBytes,
      totalBytes: 2_000_000,
    });
  expect(at("hashing", 1_000_000)).toEqual({ words: "Preparing: 1 MB of 2 MB", part: 0.5 });
  expect(at("uploading", 500_000)).toEqual({ words: "Sending: 500 kB of 2 MB", part: 0.25 });
  expect(at("uploading", 2_000_000).words).toBe("Finishing…");
});
