import { countOf } from "../../../core/text/count-of.ts";
import type { UndecidedSound } from "./read-loose-sounds.ts";

/** Says what nobody decided, what it becomes, and how to say otherwise (rule K2). */
export function formatUndecided(undecided: readonly UndecidedSound[]): readonly string[] {
  const loops = undecided.filter(({ kind }) => kind === "loop");
  const others = undecided.filter(({ kind }) => kind === "oneshot");
  return [
    ...formatGroup(
      others,
      "sent as one-shots, because nothing says what they are",
      "To send them as loops, add --undecided loop; to say that they are one-shots, --undecided oneshot. " +
        "A name can say it too: “loop” or “one shot”, and a tempo such as “120 bpm”.",
    ),
    ...formatGroup(
      loops,
      "sent as loops without a tempo, so it is guessed when they are imported",
      "To say it, add --bpm, or put it into the name, such as “120 bpm”.",
    ),
  ];
}

function formatGroup(
  group: readonly UndecidedSound[],
  becomes: string,
  remedy: string,
): readonly string[] {
  if (group.length === 0) return [];
  return [
    `Undecided: ${countOf(group.length, "sound")} ${becomes}.`,
    ...group.map(({ file, because }) => `  ${file}: ${because}`),
    `  ${remedy}`,
  ];
}
