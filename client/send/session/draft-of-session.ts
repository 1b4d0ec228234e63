import type { Translate } from "../../../core/messages/translate.ts";
import { cleanTitle } from "../../../core/text/clean-text.ts";
import { FIELDS, firstWrong, questionsOf, tempoOf } from "./open-questions.ts";
import { choiceOf, draftOf } from "./session-sound.ts";
import type { PackageDraft } from "../package-draft.ts";
import type { SessionSettings, SessionView } from "./session-view.ts";
import { BPM, numberOf } from "./typed-numbers.ts";

/** The part of a view that becomes a package. */
export type PackageView = Pick<SessionView, "title" | "suggestion" | "bpm" | "sounds">;

/** Describes the session's sounds as a package. */
export function draftOfSession(
  view: PackageView,
  settings: Pick<SessionSettings, "sceneTitle" | "appName" | "bpm">,
): PackageDraft & { readonly title: string } {
  const { sceneTitle = view.suggestion, appName, bpm } = settings;
  return {
    title: cleanTitle(view.title ?? "") || sceneTitle,
    app: appName,
    bpm: numberOf(tempoOf(view), BPM) ?? bpm,
    sounds: view.sounds.map(draftOf),
  };
}

/** Returns the sentence of the question that must be answered before sending; null without one. */
export function askBeforeSending(t: Translate, view: PackageView): string | null {
  const { kind } = questionsOf(view);
  if (kind.length > 0) {
    const names = kind.map((sound) => choiceOf(sound).name).join(", ");
    return t("page.askKind", { count: kind.length, names });
  }
  const wrong = firstWrong(view.sounds);
  return wrong && FIELDS[wrong.field].sentence(t);
}
