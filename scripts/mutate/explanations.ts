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
    file: "relay/domain/pairing/known-tokens.ts",
    code: "this.#generation += 1",
    why: "Only whether the generation changed matters, not in which direction",
  },
  {
    file: "core/quotas/address-tiers.ts",
    code: "/%.*$/",
    why: "`.*` reaches the end of the text anyway",
  },
  {
    file: "core/quotas/address-tiers.ts",
    code: "/^::ffff:",
    why: "No valid address continues after the IPv4 part",
  },
  {
    file: "core/quotas/address-tiers.ts",
    code: '""',
    why: "Fallbacks for the compiler: the address always has both halves, or the rest lies past the first 64 bits",
  },
  {
    file: "relay/domain/pairing/pairing-guesses.ts",
    code: '"pairing-tries"',
    why: "The bucket's name only has to differ from the others",
  },
  {
    file: "relay/domain/pairing/pair.ts",
    code: "isClaimRequest.errors",
    why: "A body that does not match has at least one fault; the check is for the compiler",
  },
  {
    file: "relay/domain/admission/prices.ts",
    code: '"registrations"',
    why: "The bucket's name only has to differ from the others",
  },
  {
    file: "relay/domain/admission/budgets.ts",
    code: "held > 0",
    why: "Keeping a 0 for a device costs memory, not a different answer",
  },
  {
    file: "relay/domain/packages/read-status.ts",
    code: "cached",
    why: "The text is made again and is the same; only slower",
  },
  {
    file: "relay/domain/packages/find-download.ts",
    code: "key === undefined",
    why: "A committed package has every file (rule S1); the check is for the compiler",
  },
  {
    file: "relay/domain/pairing/tokens.ts",
    code: "start < bytes.length",
    why: "Past the last byte there are no sextets to add",
  },
  {
    file: "relay/domain/packages/announce.ts",
    code: "key === undefined",
    why: "Without a key the body's hash is not used",
  },
  {
    file: "relay/domain/uploads/sound-judge.ts",
    code: "header.end()",
    why: "The size check has already refused a file that is too short for its header",
  },
  {
    file: "relay/domain/packages/commit-package.ts",
    code: '""',
    why: "A fallback for the compiler: the index is always there",
  },
  {
    file: "addon/runs/own-host.ts",
    code: "host.readTempo?.()",
    why: "A host without a tempo fails the call, and a failed call means that no tempo is known",
  },
  {
    file: "core/report/compare-settings.ts",
    code: 'typeof asked !== "number"',
    why: "A plan has a number wherever there is a tolerance; the check is for the compiler",
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
    file: "core/layout/rational.ts",
    code: "/^(\\d+)",
    why: "`String(n)` of a finite number ends with its exponent",
  },
  {
    file: "core/protocol/package-status.ts",
    code: "results[id]?.status",
    why: "Every id has a result; the check is for the compiler",
  },
  {
    file: "core/protocol/refusal.ts",
    code: "b[1].length > a[1].length",
    why: "Of two equally long names either may be shortened",
  },
  {
    file: "core/protocol/refusal.ts",
    code: "longest[1].length <= 1",
    why: "No sentence of the table is so long that a name would be cut to nothing",
  },
  {
    file: "core/text/format-limit.ts",
    code: "",
    why: "Judged by test/core/limits/, which tries every limit with another number",
  },
  {
    file: "core/settings.ts",
    code: "on",
    why: "Judged by the tests of the settings that use it, in test/addon/",
  },
];

/** Why no test can or need notice a change; undefined where nobody has said. */
export function explanationOf({ file, original }: Change): string | undefined {
  return EXPLANATIONS.find((one) => one.file === file && original.includes(one.code))?.why;
}
