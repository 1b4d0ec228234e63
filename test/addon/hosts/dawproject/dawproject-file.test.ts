import { appendFileSync, truncateSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  DawprojectFile,
  PlaceTakenError,
} from "../../../../addon/hosts/dawproject/dawproject-file.ts";
import { planProject } from "../../../../core/dawproject/plan-project.ts";
import { SoundFileError } from "../../../../addon/hosts/dawproject/sound-file.ts";
import { layoutOf, LOOP } from "../../../contracts/host/host-contract.ts";
import { checkProject } from "./check-project.ts";
import { openDawproject } from "./open-dawproject.ts";
import { smallWav } from "../../../wav-bytes.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

/** More than two of the pieces that a sound is copied in. */
const LONG_WAV = smallWav({ frames: 1_500_000 });

async function setUp() {
  const folder = await temporaryFolder();
  const write = async (name: string, wav: Buffer) => {
    await writeFile(join(folder, name), wav);
    return join(folder, name);
  };
  return {
    folder,
    path: join(folder, "out.dawproject"),
    long: await write("long.wav", LONG_WAV),
    short: await write("short.wav", smallWav({ frames: 100 })),
  };
}

/** Finishes with one loop of that sound. */
async function finish(file: DawprojectFile, name: string, wavPath: string) {
  const audio = new Map([[LOOP.soundId, await file.addSound(name, wavPath)]]);
  const sounds = { layout: layoutOf([LOOP]), audio };
  await file.finish(planProject([sounds], { title: name, withArrangement: false }));
}

/** Does something before the piece of that number, as others may while a file is copied. */
function beforePiece(number: number, act: () => void): AbortSignal {
  let pieces = 0;
  return Object.assign(new AbortController().signal, {
    throwIfAborted: () => {
      pieces += 1;
      if (pieces === number) act();
    },
  });
}

describe("[D9] reports a sound that changes while it is copied, and includes the others", () => {
  const CHANGES: readonly (readonly [string, number, (wav: string) => void])[] = [
    ["is cut", 2, (wav) => truncateSync(wav, 1_500_000)],
    ["is emptied", 1, (wav) => truncateSync(wav, 0)],
    ["grows", 3, (wav) => appendFileSync(wav, "more")],
  ];
  test.each(CHANGES)("it %s", async (_, piece, change) => {
    const { path, long, short } = await setUp();
    await using file = await DawprojectFile.begin(path);
    const signal = beforePiece(piece, () => change(long));
    await expect(file.addSound("Long", long, signal)).rejects.toThrow(
      new SoundFileError("long.wav changed while it was read."),
    );
    await finish(file, "Short", short);
    const opened = await openDawproject(path);
    checkProject(opened);
    expect(Object.keys(opened.files)).toContain("audio/Short.wav");
    expect(Object.keys(opened.files)).not.toContain("audio/Long.wav");
  });
});

test("[D7] of two runs that write one file at once, the later one succeeds and the earlier one fails", async () => {
  const { folder, path, short } = await setUp();
  await using earlier = await DawprojectFile.begin(path);
  await earlier.addSound("Early", short);
  await using later = await DawprojectFile.begin(path);
  await expect(finish(earlier, "Early again", short)).rejects.toThrow(
    new PlaceTakenError("Another import is writing out.dawproject right now."),
  );
  await earlier[Symbol.asyncDispose]();
  await finish(later, "Late", short);
  const opened = await openDawproject(path);
  checkProject(opened);
  expect(Object.keys(opened.files)).toContain("audio/Late.wav");
  expect((await readdir(folder)).filter((name) => name.includes("dawproject"))).toEqual([
    "out.dawproject",
  ]);
});

test("[D7] a run that began before another finished doesn't replace its file", async () => {
  const { path, short } = await setUp();
  await using earlier = await DawprojectFile.begin(path);
  await using later = await DawprojectFile.begin(path);
  await finish(later, "Late", short);
  const whole = await readFile(path);
  await expect(finish(earlier, "Early", short)).rejects.toThrow(PlaceTakenError);
  expect(await readFile(path)).toEqual(whole);
});

test("[D7] the next file replaces what a crash left", async () => {
  const { folder, path, short } = await setUp();
  await writeFile(`${path}.new`, Buffer.alloc(100_000));
  await using file = await DawprojectFile.begin(path);
  await finish(file, "Short", short);
  expect(await readdir(folder)).not.toContain("out.dawproject.new");
  checkProject(await openDawproject(path));
});
