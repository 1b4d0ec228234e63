import type { Translate } from "../../../core/messages/translate.ts";
import { to16Bit } from "../../audio/to-16-bit.ts";
import { askBeforeSending, draftOfSession } from "./draft-of-session.ts";
import { formatPackQuestion, isPackingOpen, seriesOf, titleIn } from "./session-packing.ts";
import { choiceOf, decided, draftOf, type SessionSound } from "./session-sound.ts";
import type {
  Outgoing,
  OutgoingPart,
  SentSound,
  Series,
  SessionSettings,
  SessionView,
} from "./session-view.ts";

/** Describes sounds for the list of sent packages. */
export type DescribeSent = (view: SessionView) => readonly SentSound[];

/** Describes the sounds of a session as the packages to send. */
export function describeOutgoing(
  view: SessionView,
  settings: SessionSettings,
  t: Translate,
  describe?: DescribeSent,
): Outgoing {
  const { sounds: _, ...head } = draftOfSession(view, settings);
  const series = seriesOf(view, head);
  const partOf = (own: Series, keys: readonly string[], later: number): OutgoingPart => {
    const sounds = view.sounds.filter(({ key }) => keys.includes(key));
    const plain = sounds.map((sound) => ({ id: sound.key, name: choiceOf(sound).name }));
    const title = titleIn(own, later);
    return {
      title,
      keys,
      sounds: describe?.({ ...view, sounds }) ?? plain,
      describe: async (signal) => {
        const notes: string[] = [];
        const drafts = [];
        for (const sound of sounds) {
          const source = own.as16 ? await as16Bit(sound, notes, t, signal) : sound.source;
          drafts.push({ ...draftOf(sound), source });
        }
        return { draft: { ...head, title, bpm: own.bpm, sounds: drafts }, notes };
      },
    };
  };
  return {
    question:
      askBeforeSending(t, view) ?? (isPackingOpen(view) ? formatPackQuestion(t, view) : null),
    packages: series?.parts.map((keys, later) => partOf(series, keys, later)) ?? [],
    series: series !== null && series.count > 1 ? series : null,
    decide: decided,
  };
}

/** Converts a sound to 16 bit, and notes what was clipped. */
async function as16Bit(
  sound: SessionSound,
  notes: string[],
  t: Translate,
  signal: AbortSignal,
): Promise<Blob> {
  const { wav, clipped } = await to16Bit(sound.source, sound.header, signal);
  const { name } = choiceOf(sound);
  if (clipped > 0) notes.push(t("page.clipped", { name, count: clipped }));
  return wav;
}
