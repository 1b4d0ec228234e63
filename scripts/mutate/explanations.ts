import type { Change } from "./try-part.ts";

/** Why changes may survive: those of a file whose code had the text before. */
interface Explanation {
  readonly file: string;
  readonly code: string;
  readonly why: string;
}

/** Survivors on limits, states, deletion, tokens and tempo, each looked at. */
export const EXPLANATIONS: readonly Explanation[] = [
  {
    file: "core/protocol/package-state.ts",
    code: "life.waitEndsAt === null",
    why: "Only a committed package can be held, and its wait has an end; the check is for the compiler",
  },
  {
    file: "core/layout/rational.ts",
    code: "difference < 0n",
    why: "0 is the same with either sign",
  },
  {
    file: "core/layout/rational.ts",
    code: "left < right",
    why: "Equal fractions have returned before",
  },
  {
    file: "core/layout/rational.ts",
    code: "power < 0",
    why: "Multiplying or dividing by 10 to the power of 0 gives the same",
  },
  {
    file: "core/layout/tempo-and-length.ts",
    code: "compare(loopSeconds, fileSeconds) < 0",
    why: "Equal lengths have returned before",
  },
  {
    file: "core/layout/suggest-loop.ts",
    code: "<= AGREES_SECONDS",
    why: "No file was found that is off by exactly 0.01 s in floating point",
  },
  {
    file: "core/layout/suggest-loop.ts",
    code: "seconds < SHORTEST_SECONDS",
    why: "No length that is suggested fits a whole tempo in exactly 0.9 s",
  },
  {
    file: "addon/runs/own-host.ts",
    code: "host.readTempo?.()",
    why: "A host without a tempo fails the call, and a failed call means that no tempo is known",
  },
  {
    file: "addon/runs/compare-settings.ts",
    code: 'typeof asked !== "number"',
    why: "A plan has a number wherever there is a tolerance; the check is for the compiler",
  },
  {
    file: "addon/runs/prune-journals.ts",
    code: "entries.filter(",
    why: "Deleting a folder as a file fails, and what fails is left alone",
  },
  {
    file: "addon/runs/prune-journals.ts",
    code: "[]",
    why: "A name that is not in the folder can't be pruned, and what fails is left alone",
  },
  {
    file: "addon/runs/prune-journals.ts",
    code: '""',
    why: "The file was there a moment before; the text is for the compiler",
  },
  {
    file: "addon/runs/download.ts",
    code: "error instanceof Refusal",
    why: "No test can make the disk fail while it reads a file that was just opened",
  },
  {
    file: "addon/runs/download.ts",
    code: "isMissing(error)",
    why: "Where a look at the file fails, opening the part beside it fails the same way",
  },
  {
    file: "addon/runs/import-runs.ts",
    code: "source.relay !== undefined",
    why: "Only a package of a relay is ever taken; the check is for the compiler",
  },
];

/** Why no test can or need notice a change; undefined where nobody has said. */
export function explanationOf({ file, original }: Change): string | undefined {
  return EXPLANATIONS.find((one) => one.file === file && original.includes(one.code))?.why;
}
