import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { guessAndListen } from "../../cli/guess-and-listen.ts";
import { openSound, readForGuess } from "../../cli/sound-files.ts";
import { encodeWav } from "../../fixtures/synth/wav-file.ts";
import { readListeningTable, renderRow } from "../core/audio/listening/render-row.ts";
import { temporaryFolder } from "../addon/temporary-folder.ts";

test("[Y11] the command line listens to what names and lengths leave open, and to nothing else", async () => {
  const folder = join(await temporaryFolder(), "Things");
  await mkdir(folder);
  const rows = readListeningTable("table.tsv");
  const loop = rows.find(({ recipe, bpm }) => recipe === "house" && bpm === 97.3);
  const shot = rows.find(({ recipe, seconds }) => recipe === "crash" && seconds === 7.5);
  const names = ["Thing.wav", "Object.wav", "Object One Shot.wav", "Thing Loop.wav"];
  const sounds = [];
  for (const [index, row] of [loop, shot, loop, loop].entries()) {
    if (row === undefined) throw new Error("no row");
    const bytes = encodeWav([Float64Array.from(renderRow(row))], { rateHz: row.sampleRateHz });
    const path = join(folder, names[index] ?? "");
    await writeFile(path, bytes);
    const { source } = await openSound(path);
    sounds.push(await readForGuess(path, source));
  }
  const { sounds: guesses } = await guessAndListen(sounds);
  expect(guesses.map(({ kind, bpm }) => [kind, bpm && Math.round(bpm * 10) / 10])).toEqual([
    ["loop", 97.3],
    ["oneshot", null],
    ["oneshot", null],
    ["loop", 97.3],
  ]);
  expect(guesses.map(({ because }) => because.includes("Heard"))).toEqual([
    true,
    true,
    false,
    true,
  ]);
});
