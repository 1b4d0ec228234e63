import { VERSION } from "../../core/version.ts";
import { noLibrarySentence, type LiveStatus } from "./live-script.ts";

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
    return [
      { step: "library", state: "wrong", sentence, advice: advice.join(" ") },
      answerStep(status),
    ];
  }
  const found = `Live's User Library: ${library.path}.`;
  return [
    { step: "library", state: "done", sentence: found },
    ...(script === null ? [] : [scriptStep(script)]),
    answerStep(status),
  ];
}

function scriptStep({
  state,
  path,
  version,
  folders,
}: NonNullable<LiveStatus["script"]>): LiveStep {
  const step = "script";
  switch (state) {
    case "current":
      return {
        step,
        state: "done",
        sentence: `The control surface is installed: ${path} (version ${version}).`,
      };
    case "missing":
      return {
        step,
        state: "later",
        sentence: "The control surface isn't installed.",
        advice: "install",
      };
    case "changed":
      return {
        step,
        state: "wrong",
        sentence: `The control surface in ${path} was changed by hand.`,
        advice: "install",
      };
    case "foreign":
      return {
        step,
        state: "wrong",
        sentence: `${path} wasn't made by Soundferry, or is a link.`,
        advice: "Move it away, then install the control surface.",
      };
    case "old": {
      const isOther = version !== VERSION || folders.length === 0;
      const why = isOther
        ? `is of version ${version}, and this is ${VERSION}`
        : "is of another build, or works with another importer's data folder";
      return {
        step,
        state: "wrong",
        sentence: `The control surface in ${path} ${why}.`,
        advice: "install",
      };
    }
  }
}

function answerStep({ script, surface, loaded }: LiveStatus): LiveStep {
  const step = "answer";
  if (loaded !== null && loaded !== VERSION) {
    const sentence = `Live runs the control surface of version ${loaded}, and this is ${VERSION}.`;
    const isCurrent = script?.state === "current";
    const advice = isCurrent ? "Quit Live and start it again." : "Install it, then restart Live.";
    return { step, state: "wrong", sentence, advice };
  }
  if (surface.kind === "answers") {
    const sentence = `Live ${surface.live} ${surface.edition} runs the control surface, and it answers.`;
    return { step, state: "done", sentence };
  }
  if (surface.kind === "stale") {
    return {
      step,
      state: "later",
      sentence: "Live's control surface doesn't answer now. Live was killed, or is busy.",
      advice: "Close open menus and dialogs in Live, or start Live again.",
    };
  }
  return {
    step,
    state: "later",
    sentence: "Live doesn't run the control surface now.",
    advice: CHOOSE_IN_LIVE,
  };
}
