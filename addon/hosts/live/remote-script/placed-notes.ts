import type { TrackPlan } from "../../../../core/layout/layout.ts";
import { formatNumber } from "../../../../core/text/format-number.ts";
import { withoutPeriod } from "./control-surface-error.ts";
import type { HeldMessage, OutcomeMessage, OutcomeTrack } from "./outcome-message.ts";
import type { PlaceMessage } from "./plan-request.ts";
import type { AudioLength } from "./plan-warp.ts";
import { loopTempo } from "./read-holds.ts";

export interface NotesOptions {
  readonly plan: TrackPlan;
  readonly track: OutcomeTrack;
  readonly file: AudioLength;
  readonly isInProject: boolean;
  readonly asked: PlaceMessage;
  readonly outcome: OutcomeMessage;
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
    ...pitchNotes(track.holds),
    ...(track.isReused ? [] : trackNotes(track.holds)),
    ...sceneNotes(options),
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

function pitchNotes(holds: HeldMessage): readonly string[] {
  const { pitch_coarse: semitones, pitch_fine: cents } = holds;
  if ((semitones ?? 0) === 0 && (cents ?? 0) === 0) return [];
  return [`It is transposed by ${semitones ?? 0} semitones and ${cents ?? 0} cents.`];
}

function trackNotes({ armed, input, volume }: HeldMessage): readonly string[] {
  const notes: string[] = [];
  if (armed === true) notes.push("Its track is armed.");
  if (input !== null && input !== "No Input") notes.push(`Its track's input is “${input}”.`);
  if (volume !== null && Math.abs(volume - FADER_AT_0_DB) > FLOAT_NOISE) {
    notes.push("Its track's fader is not at 0 dB.");
  }
  return notes;
}

/** Reports how the scene differs. The scene belongs to no sound, so each sound gets the notes. */
function sceneNotes({ asked, outcome }: NotesOptions): readonly string[] {
  const { name, color } = outcome.scene;
  const notes: string[] = [];
  if (name !== null && name !== asked.scene.name) {
    notes.push(`Its scene is called “${name}”, not “${asked.scene.name}”.`);
  }
  if (color !== asked.scene.color) {
    // Live tells none for a scene without a color.
    notes.push(
      `Its scene has ${color === null ? "no color" : `color ${color}`}, not color ${asked.scene.color}.`,
    );
  }
  return notes;
}
