import { expect, test } from "vitest";
import { isOpenGuess } from "../../../core/guess/apply-heard.ts";
import { guessSound } from "../../../core/guess/guess-sound.ts";
import { hearSamples } from "../audio/listening/heard-answers.ts";
import { type ListeningRow, renderRow } from "../audio/listening/render-row.ts";
import { readTable, type TableRow } from "./guess-tables.ts";

const TABLES = ["table", "second-table", "third-table", "fourth-table", "fifth-table"];
const RATE_HZ = 22_050;

/** Recipes that fit a role; the row's place in its table picks one. */
const LOOPS_OF_ROLE: Readonly<Record<string, readonly string[]>> = {
  drums: ["house", "rock", "break", "boom-bap", "funk", "drum-and-bass", "hats"],
  bass: ["acid", "pluck-bass", "eighth-bass", "sub-walk"],
  melodic: ["arp-16", "keys-comp", "stabs", "strum"],
  vocal: ["chops", "vocal"],
};
const SHOTS = [
  "crash",
  "impact",
  "stab",
  "bell-note",
  "keys-note",
  "riser",
  "vocal-phrase",
  "door",
];

/** A sound that a row may be: its answer, or where nobody can know without listening, what its guess leaves open. */
interface Truth {
  readonly kind: "loop" | "oneshot";
  readonly bpm: number;
  readonly lengthBeats: number;
}

function truthsOf({ input, answer }: TableRow): readonly Truth[] {
  const { kind, likely } = guessSound(input);
  const { bpm = 120, lengthBeats = 4 } = answer;
  if (answer.kind !== "ask") return [{ kind: answer.kind, bpm, lengthBeats }];
  const loop = likely === null ? [] : [{ kind: "loop" as const, ...likely }];
  return kind === "loop" ? loop : [...loop, { kind: "oneshot", bpm, lengthBeats }];
}

function renderTruth({ input }: TableRow, { kind, bpm, lengthBeats }: Truth, index: number) {
  const seconds = input.frames / input.sampleRateHz;
  const recipes =
    LOOPS_OF_ROLE[guessSound(input).role ?? ""] ?? Object.values(LOOPS_OF_ROLE).flat();
  const tail = Math.max(0, seconds - (lengthBeats * 60) / bpm);
  const row: ListeningRow = {
    recipe: (kind === "loop" ? recipes[index % recipes.length] : SHOTS[index % SHOTS.length]) ?? "",
    sampleRateHz: RATE_HZ,
    seed: input.fileName,
    bpm,
    lengthBeats,
    seconds,
    changes: kind === "loop" && tail > 0.02 ? { tail } : {},
    kind,
    unknowable: undefined,
  };
  return { recipe: row.recipe, samples: renderRow(row) };
}

/** Longer sounds are not listened to. */
const MOST_SECONDS = 60;

test("[Y11] of the questions that the tables leave, listening answers some, and at most 1 in 100 wrongly", () => {
  const counts = { open: 0, answered: 0, kinds: 0 };
  const wrong: string[] = [];
  for (const table of TABLES) {
    for (const [index, row] of readTable(`${table}.tsv`).entries()) {
      const { input } = row;
      const before = guessSound(input);
      const seconds = input.frames / input.sampleRateHz;
      if (!isOpenGuess(before) || seconds > MOST_SECONDS || seconds < 0.2) continue;
      for (const truth of truthsOf(row)) {
        counts.open += 1;
        const { recipe, samples } = renderTruth(row, truth, index);
        const guess = guessSound({ ...input, heard: hearSamples(samples, RATE_HZ) });
        if (guess.because === before.because) continue;
        const isOff = guess.bpm !== null && Math.abs(guess.bpm / truth.bpm - 1) > 0.001;
        if (guess.kind !== truth.kind || (truth.kind === "loop" && isOff)) {
          wrong.push(
            `${input.fileName}: ${recipe} at ${truth.bpm} BPM is ${guess.kind}, ${guess.bpm}`,
          );
        } else if (isOpenGuess(guess)) counts.kinds += 1;
        else counts.answered += 1;
      }
    }
  }
  expect(wrong.length).toBeLessThanOrEqual((counts.answered + counts.kinds) / 100);
  expect(counts.answered).toBeGreaterThanOrEqual(counts.open / 2);
});
