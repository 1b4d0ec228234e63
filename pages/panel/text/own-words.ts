import { translateRun } from "../../../core/messages/translate-run.ts";
import type {
  PanelFinishedRun,
  PanelPackage,
  PanelPlan,
  PanelState,
} from "../../../core/protocol/panel-api.ts";
import { t } from "../../kit/page-language.ts";

/** Translates a sentence of the importer into the page's language; an unknown one stays as it is (rule N28). */
export function ownWords(sentence: string): string {
  return translateRun(t, sentence);
}

/**
 * Translates the sentences of a state, except two kinds: those of results, which are compared before they are shown, and
 * the relay's trouble, of which only a part is shown.
 */
export function withOwnWords(state: PanelState): PanelState {
  const { host, connection, lan, live, soundsFolder, diskTrouble, packages, finished } = state;
  return {
    ...state,
    host: { ...host, trouble: orNull(host.trouble), instead: orNull(host.instead) },
    connection: { ...connection, fixedBecause: orNull(connection.fixedBecause) },
    lan: lan && { ...lan, trouble: orNull(lan.trouble), fixedBecause: orNull(lan.fixedBecause) },
    live: live && { ...live, trouble: orNull(live.trouble) },
    soundsFolder: { ...soundsFolder, fixedBecause: orNull(soundsFolder.fixedBecause) },
    diskTrouble: orNull(diskTrouble),
    packages: packages.map(packageInOwnWords),
    finished: finished.map(finishedInOwnWords),
  };
}

function packageInOwnWords(one: PanelPackage): PanelPackage {
  return "error" in one ? { ...one, error: ownWords(one.error) } : one;
}

function finishedInOwnWords(run: PanelFinishedRun): PanelFinishedRun {
  const { result } = run;
  return "error" in result ? { ...run, result: { ...result, error: ownWords(result.error) } } : run;
}

/** Translates the notes and errors of a plan. */
export function planInOwnWords(plan: PanelPlan): PanelPlan {
  const tracks = plan.tracks.map((track) =>
    "error" in track
      ? { ...track, error: ownWords(track.error) }
      : { ...track, notes: track.notes.map(ownWords) },
  );
  return { ...plan, tracks };
}

function orNull(sentence: string | null): string | null {
  return sentence === null ? null : ownWords(sentence);
}
