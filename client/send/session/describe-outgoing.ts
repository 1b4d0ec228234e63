import type { Translate } from "../../../core/messages/translate.ts";
import type { PackageDraft } from "../package-draft.ts";
import { askBeforeSending, draftOfSession } from "./draft-of-session.ts";
import {
  describePart,
  formatPackQuestion,
  isPackingOpen,
  seriesOf,
  titleIn,
} from "./session-packing.ts";
import { choiceOf, decided } from "./session-sound.ts";
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
    const { bpm, as16 } = own;
    const title = titleIn(own, later);
    const described: Omit<PackageDraft, "sounds"> = { ...head, title, bpm };
    return {
      title,
      keys,
      sounds: describe?.({ ...view, sounds }) ?? plain,
      describe: (signal) => describePart(t, described, sounds, { as16, signal }),
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
