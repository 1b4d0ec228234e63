import { VERSION } from "../../core/version.ts";
import {
  formatLive,
  livesSentence,
  SUPPORTED_LIVES,
} from "../hosts/live/remote-script/live-version.ts";
import { noLibrarySentence, type LiveStatus } from "./live-script.ts";
import type { InstalledScript } from "./look-at-script.ts";

/** One of the steps to an answering script, for `live status` and the doctor. */
export interface LiveStep {
  readonly step: "library" | "script" | "answer";
  /** The step's state; `later` means that nothing is broken, but the step isn't done. */
  readonly state: "done" | "later" | "wrong";
  readonly sentence: string;
  /** Advice on what to do; the word `install` means `soundferry live install`. */
  readonly advice?: string;
}

const CHOOSE_IN_LIVE =
  "Open Live and choose Soundferry as a Control Surface under Settings → Link, Tempo & MIDI, with Input and Output None.";

/** Describes a status step by step; empty on a computer without Live. */
export function stepsOf(status: LiveStatus): readonly LiveStep[] {
  const { library, script, loaded } = status;
  if (library.kind === "missing") {
    if (!library.hasLive && loaded === null) return [];
    const [sentence = "", ...advice] = noLibrarySentence(library).split(/(?<=\.) /);
    return [wrong("library", sentence, advice.join(" ")), answerStep(status)];
  }
  const found = done("library", `Live's User Library: ${library.path}.`);
  return [found, ...(script === null ? [] : [scriptStep(script)]), answerStep(status)];
}

function scriptStep({ state, path, version, folders }: InstalledScript): LiveStep {
  switch (state) {
    case "current":
      return done("script", `The control surface is installed: ${path} (version ${version}).`);
    case "missing":
      return later("script", "The control surface isn't installed.", "install");
    case "changed":
      return wrong("script", `The control surface in ${path} was changed by hand.`, "install");
    case "foreign": {
      const sentence = `${path} wasn't made by Soundferry, or is a link.`;
      return wrong("script", sentence, "Move it away, then install the control surface.");
    }
    case "old": {
      const isOther = version !== VERSION || folders.length === 0;
      const why = isOther
        ? `is of version ${version}, and this is ${VERSION}`
        : "is of another build, or works with another importer's data folder";
      return wrong("script", `The control surface in ${path} ${why}.`, "install");
    }
  }
}

function answerStep({ script, surface, loaded }: LiveStatus): LiveStep {
  if (loaded !== null && loaded !== VERSION) {
    const sentence = `Live runs the control surface of version ${loaded}, and this is ${VERSION}.`;
    const isCurrent = script?.state === "current";
    const advice = isCurrent ? "Quit Live and start it again." : "Install it, then restart Live.";
    return wrong("answer", sentence, advice);
  }
  if (surface.kind === "answers") {
    if (!surface.makesClips)
      return wrong("answer", `This is Live ${surface.live}.`, SUPPORTED_LIVES);
    const sentence = `${formatLive(surface)} runs the control surface, and it answers.`;
    return done("answer", [sentence, livesSentence(surface)].filter(Boolean).join(" "));
  }
  if (surface.kind === "stale") {
    return later(
      "answer",
      "Live's control surface doesn't answer now. Live was killed, or is busy.",
      "Close open menus and dialogs in Live, or start Live again.",
    );
  }
  return later("answer", "Live doesn't run the control surface now.", CHOOSE_IN_LIVE);
}

function done(step: LiveStep["step"], sentence: string): LiveStep {
  return { step, state: "done", sentence };
}

function later(step: LiveStep["step"], sentence: string, advice: string): LiveStep {
  return { step, state: "later", sentence, advice };
}

function wrong(step: LiveStep["step"], sentence: string, advice: string): LiveStep {
  return { step, state: "wrong", sentence, advice };
}
