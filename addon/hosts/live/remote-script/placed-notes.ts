import type { TrackPlan } from "../../../../core/layout/layout.ts";
import { RUN_SENTENCES, runSentence } from "../../../../core/protocol/run-sentences.ts";
import { formatNumber } from "../../../../core/text/format-number.ts";
import { withoutPeriod } from "./control-surface-error.ts";
import { formatEdition, type LiveVersion } from "./live-version.ts";
import type { HeldMessage, OutcomeMessage, OutcomeTrack } from "./outcome-message.ts";
import type { PlaceMessage } from "./plan-request.ts";
import type { AudioLength } from "./plan-warp.ts";
import { heldName, loopTempo } from "./read-holds.ts";

export interface NotesOptions {
  readonly plan: TrackPlan;
  readonly track: OutcomeTrack;
  readonly file: AudioLength;
  readonly isInProject: boolean;
  readonly asked: PlaceMessage;
  readonly outcome: OutcomeMessage;
  readonly live: Pick<LiveVersion, "edition">;
  /** The number of scenes that the Set had before. */
  readonly scenes: number;
}

/** The raw value of the fader at 0 dB; Live holds it as a 32-bit float. */
const FADER_AT_0_DB = 0.85;
const FLOAT_NOISE = 1e-6;
/** Settings of an attempt. Where the loop is right in the end, an earlier refusal of these is not reported. */
const ATTEMPTED = new Set(["loop_start", "loop_end", "start_marker", "end_marker", "warp_markers"]);
const SAME_BEATS = 1e-6;

/** Returns sentences on everything that the compared settings don't cover (rule H14). */
export function placedNotes(options: NotesOptions): readonly string[] {
  const { plan, track, file, isInProject } = options;
  return [
    ...heardTempo(plan, track.holds),
    ...earlyEnd(plan, track.holds, file),
    ...refusals(plan, track),
    ...pitchNotes(track),
    ...(track.isReused ? [] : trackNotes(track)),
    ...sceneNotes(options),
    ...touchedNotes(track),
    ...(isInProject ? [] : ["Use Collect All and Save to keep it with your Set."]),
  ];
}

/** Reports the tempo that Live detected for a loop without one, for the person to judge. */
function heardTempo(plan: TrackPlan, holds: HeldMessage): readonly string[] {
  const tempoBpm = plan.warping && plan.tempoBpm === null ? loopTempo(holds) : undefined;
  return tempoBpm === undefined ? [] : [`Live heard ${formatNumber(tempoBpm)} BPM.`];
}

/** Reports that a one-shot ends before its file does: its end is no setting of a layout. */
function earlyEnd(plan: TrackPlan, { loop_end: end, warping }: HeldMessage, file: AudioLength) {
  const fileSeconds = file.frames / file.sampleRateHz;
  if (plan.looping || warping !== false || end === null) return [];
  if (Math.abs(end - fileSeconds) <= 1 / file.sampleRateHz) return [];
  return [`It ends at ${formatNumber(end)} s; its file has ${formatNumber(fileSeconds)} s.`];
}

function refusals(plan: TrackPlan, { refused, holds }: OutcomeTrack): readonly string[] {
  const { looping, loopEndBeats } = plan;
  const { loop_start: start, loop_end: end } = holds;
  const isEndRight = !looping || loopEndBeats === null || isSame(end, loopEndBeats);
  const isRight = isEndRight && (plan.tempoBpm === null || isSame(start, 0));
  const sentences = refused
    .filter(({ setting }) => !isRight || !ATTEMPTED.has(setting))
    .map(({ setting, message }) => {
      const reason = withoutPeriod(message);
      const what = `Live refused its ${setting.replaceAll("_", " ")}`;
      return reason === "" ? `${what}.` : `${what}: ${reason}.`;
    });
  return [...new Set(sentences)];
}

function isSame(got: number | null, asked: number): boolean {
  return got !== null && Math.abs(got - asked) <= SAME_BEATS;
}

function pitchNotes({ holds, changed }: OutcomeTrack): readonly string[] {
  const { pitch_coarse: semitones, pitch_fine: cents } = holds;
  if (changed.has("pitch_coarse") || changed.has("pitch_fine")) return [];
  if ((semitones ?? 0) === 0 && (cents ?? 0) === 0) return [];
  return [`It is transposed by ${semitones ?? 0} semitones and ${cents ?? 0} cents.`];
}

function trackNotes({ holds, changed }: OutcomeTrack): readonly string[] {
  const notes: string[] = [];
  const told = (name: "armed" | "input" | "volume") => !changed.has(name);
  const { armed, input, volume } = holds;
  if (armed === true && told("armed")) notes.push("Its track is armed.");
  if (input !== null && input !== "No Input" && told("input")) {
    notes.push(`Its track's input is “${input}”.`);
  }
  if (volume !== null && Math.abs(volume - FADER_AT_0_DB) > FLOAT_NOISE && told("volume")) {
    notes.push("Its track's fader is not at 0 dB.");
  }
  return notes;
}

/** Reports that a person changed or opened the clip before the last look (rule H24). */
function touchedNotes({ isTouched, isUndone, changed }: OutcomeTrack): readonly string[] {
  if (!isTouched) return [];
  const isOnlyOpen = changed.size === 0 && !isUndone;
  return [isOnlyOpen ? RUN_SENTENCES.OPEN_IN_LIVE : RUN_SENTENCES.CHANGED_BY_PERSON];
}

/** Reports how the scene differs. The scene belongs to no sound, so each sound gets the notes. */
function sceneNotes({ asked, outcome, live, scenes }: NotesOptions): readonly string[] {
  const { color, isTaken } = outcome.scene;
  const name = heldName(outcome.scene.name, asked.scene.name) ?? null;
  const notes: string[] = [];
  if (isTaken) {
    notes.push(runSentence("SCENE_TAKEN", { live: formatEdition(live), count: String(scenes) }));
  }
  if (name !== null && name !== asked.scene.name) {
    notes.push(`Its scene is called “${name}”, not “${asked.scene.name}”.`);
  }
  // Live tells none for a scene without a color, and a taken scene gets none.
  if (color !== asked.scene.color && !(isTaken && color === null)) {
    notes.push(
      `Its scene has ${color === null ? "no color" : `color ${color}`}, not color ${asked.scene.color}.`,
    );
  }
  return notes;
}
