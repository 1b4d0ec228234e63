import type { Answer } from "../answer.ts";
import { assert, assertRefusal, assertSame, assertStatus, partOf, show } from "../assert.ts";
import type { Check } from "../check.ts";
import type { Kit } from "../kit.ts";
import { LIMITS } from "../limits.ts";
import { makeWav, type Sound } from "../sounds.ts";
import type { WavCase } from "./wav-case.ts";
import { REFUSED_WAVS } from "./wav-refused.ts";
import { TAKEN_WAVS } from "./wav-taken.ts";

interface Announced extends Omit<WavCase, "wavs"> {
  readonly sounds: readonly Sound[];
}

/** Every case. One package has all of the public specification, which come first. */
const CASES = [...TAKEN_WAVS, ...REFUSED_WAVS]
  .toSorted((one, other) => Number(other.spec !== undefined) - Number(one.spec !== undefined))
  .map(withFiles);
const SOUNDS = CASES.flatMap(({ sounds }) => sounds);

/** Checks of the WAV files that a relay accepts and refuses; 32 are announced as one package. */
export const WAV_CHECKS: readonly Check[] = [
  ...CASES.map(checkOf),
  {
    id: "wav-refused-missing",
    rule: "U1",
    title: "of a refused file nothing is stored: it stays missing",
    spec: "4 commit: 409 names the files still missing",
    run: async (kit) => {
      const { made, refused } = await refusedUploads(kit);
      assertRefusal(await kit.commit(made), "FILES_MISSING");
      if (kit.contract === "public") return;
      const { json } = await kit.status(made);
      for (const { file } of refused) {
        assertSame(partOf(json, "files", file), "missing", `The state of ${file}`);
      }
    },
  },
  {
    id: "wav-refused-by-name",
    rule: "U3",
    title: "the text of a refused WAV names the file",
    run: async (kit) => {
      const { refused } = await refusedUploads(kit);
      for (const { file, answer } of refused) {
        const error = String(partOf(answer.json, "error"));
        assert(error.includes(file), `The error does not name ${file}: ${show(error)}.`);
      }
    },
  },
];

function withFiles({ wavs, ...one }: WavCase): Announced {
  const sounds = wavs.map((bytes, at) => ({ file: `${one.id}-${at + 1}.wav`, bytes }));
  return { ...one, sounds };
}

function checkOf({ id, words, code, sounds, ...more }: Announced): Check {
  return {
    id: `wav-${id}`,
    rule: "U4",
    title: code === undefined ? `takes a WAV ${words}` : `refuses a WAV ${words}: ${code}`,
    ...more,
    run: async (kit) => {
      for (const sound of sounds) {
        const answer = await upload(kit, sound);
        if (code === undefined) assertStatus(answer, 200);
        else assertRefusal(answer, code);
      }
    },
  };
}

async function upload(kit: Kit, sound: Sound): Promise<Answer> {
  const group = Math.floor(SOUNDS.indexOf(sound) / LIMITS.sounds);
  const sounds = SOUNDS.slice(group * LIMITS.sounds, (group + 1) * LIMITS.sounds);
  return kit.put(await kit.share(`WAV cases ${group}`, () => kit.uploading(sounds)), sound);
}

/** Uploads one good file, and some that are refused: for the public specification only what is no WAV at all. */
function refusedUploads(kit: Kit) {
  return kit.share("refused WAVs", async () => {
    const bad: readonly Sound[] = [
      { file: "text.wav", bytes: Buffer.alloc(300, "No WAV. ") },
      { file: "surround.wav", bytes: makeWav({ channels: 6 }) },
      { file: "streamed.wav", bytes: makeWav({ saidDataBytes: 0xff_ff_ff_ff }) },
    ].slice(0, kit.contract === "public" ? 1 : undefined);
    const good = { file: "good.wav", bytes: makeWav() };
    const made = await kit.uploading([good, ...bad]);
    await kit.put(made, good);
    const refused: { readonly file: string; readonly answer: Answer }[] = [];
    for (const sound of bad) {
      const answer = await kit.put(made, sound);
      // Other checks judge whether it should have been refused.
      if (answer.status >= 400) refused.push({ file: sound.file, answer });
    }
    return { made, refused };
  });
}
