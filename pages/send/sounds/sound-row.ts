import { formatRepairNote } from "../../../core/audio/repair-note.ts";
import { formatRecording } from "../../../core/guess/guess-sounds.ts";
import { PLAY_BYTES } from "../../../core/audio/sound-limits.ts";
import type { ClipRow, ClipState } from "../../kit/clip-list/clip-row.ts";
import { t } from "../../kit/page-language.ts";
import type { PageView } from "../page-view.ts";
import { groupOf, type SoundGroup } from "../../../client/send/session/guess-list.ts";
import {
  firstWrong,
  type Questions,
  questionsOf,
  tempoOf,
} from "../../../client/send/session/open-questions.ts";
import type { SessionSound } from "../../../client/send/session/session-sound.ts";
import { BPM, numberOf } from "../../../client/send/session/typed-numbers.ts";
import { describeSound } from "./plan-sound.ts";

/** Returns the rows of the new package's sounds. */
export function soundRows(view: Pick<PageView, "sounds" | "bpm" | "groups">): readonly ClipRow[] {
  const packageBpm = numberOf(tempoOf(view), BPM);
  const questions = questionsOf(view);
  return view.sounds.map((sound) => {
    const group = groupOf(view, sound.key);
    return { ...soundRow(sound, packageBpm, questions, group), isGrouped: group !== undefined };
  });
}

function soundRow(
  sound: SessionSound,
  packageBpm: number | undefined,
  questions: Questions,
  group: SoundGroup | undefined,
): ClipRow {
  return {
    ...describeSound(sound, packageBpm),
    key: sound.key,
    state: stateOf(sound, questions, group),
    silentBecause: sound.source.size <= PLAY_BYTES ? null : t("page.tooLargeToPlay"),
  };
}

function stateOf(
  sound: SessionSound,
  questions: Questions,
  group: SoundGroup | undefined,
): ClipState | null {
  if (firstWrong([sound]) !== null) return { tone: "bad", words: t("page.wrongNumber") };
  if (questions.kind.includes(sound)) return { tone: "asks", words: t("page.asksKind") };
  if (questions.tempo.includes(sound)) return { tone: "asks", words: t("page.asksTempo") };
  const because = sound.repairs.map((note) => formatRepairNote(t, note)).join(" ");
  if (because !== "") return { tone: "quiet", words: t("page.hasNote"), because };
  const words = t("page.stem");
  return group === undefined ? null : { tone: "quiet", words, because: formatRecording(t, group) };
}
