import type { SoundKind } from "../../../core/manifest/manifest.ts";
import type { Translate } from "../../../core/messages/translate.ts";
import { formatRole } from "../../../core/text/format-role.ts";
import { colorName } from "./colors.ts";
import type { ClipRow } from "./clip-row.ts";

/** A sound's name, or a placeholder with its number in the list. */
export function clipName(t: Translate, { name }: Pick<ClipRow, "name">, index: number): string {
  return name === "" ? t("clips.unnamed", { number: index + 1 }) : name;
}

/** Names a kind: `Loop`, `One-shot`, or the question while nobody has decided. */
export function kindName(t: Translate, kind: SoundKind | null): string {
  if (kind === null) return t("clips.undecided");
  return kind === "loop" ? t("clips.loop") : t("clips.one-shot");
}

/** Formats a whole row as a screen reader reads it: name and facts, with commas. */
export function spokenClip(t: Translate, row: ClipRow, index: number): string {
  const { kind, role, tempoBpm, lengthBeats, color, state } = row;
  const facts = [
    clipName(t, row, index),
    kindName(t, kind),
    role === null ? "" : formatRole(t, role),
    tempoBpm === null ? "" : t("clips.at-tempo", { bpm: round(tempoBpm) }),
    lengthBeats === null ? "" : t("clips.of-beats", { count: round(lengthBeats) }),
    colorName(t, color),
    state?.words ?? "",
  ];
  return facts.filter((fact) => fact !== "").join(", ");
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
