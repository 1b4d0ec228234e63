import { ScriptError } from "../../addon/live-setup/script-error.ts";
import { type LiveStep, stepsOf } from "../../addon/live-setup/live-steps.ts";
import type { LiveScript } from "../../addon/live-setup/live-script.ts";
import { formatAdvice } from "../commands/live/live-script.ts";
import type { Finding } from "./finding.ts";

const STATES = { done: "ok", later: "note", wrong: "wrong" } as const;

/** Checks each step on the way to Live's control surface; one line on a computer without Live (rule H20). */
export async function checkLive(script: Pick<LiveScript, "status">): Promise<readonly Finding[]> {
  try {
    const steps = stepsOf(await script.status());
    if (steps.length === 0) {
      const sentence = "Ableton Live wasn't found on this computer; its checks are skipped.";
      return [{ check: "live", state: "ok", sentence }];
    }
    return steps.map(findingOf);
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    const advice = "Correct that, then run this again.";
    return [{ check: "live-script", state: "wrong", sentence: error.message, advice }];
  }
}

function findingOf({ step, state, sentence, advice }: LiveStep): Finding {
  const finding = { check: `live-${step}`, state: STATES[state], sentence };
  return advice === undefined ? finding : { ...finding, advice: formatAdvice(advice) };
}
