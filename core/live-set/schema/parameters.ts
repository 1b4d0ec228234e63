import { MAX_BPM, MIN_BPM } from "../../limits.ts";
import { bool, float, int, list, object, pointee, reference } from "./shape.ts";

/** The beat of an automation's first event, before the Set's start. */
export const BEFORE_START_BEATS = -63_072_000;

/** The least gain of a fader or a send: -70 dB. */
export const LEAST_GAIN = 0.000_316_227_757_1;
/** The greatest volume of a track: +6 dB. */
export const MOST_VOLUME = 1.995_262_38;

/** Meters as one number: 99 for each doubling of the unit, and the beats above one. 201 is 4/4. */
export const METER_RANGE = [0, 494] as const;
export const TEMPO_RANGE = [MIN_BPM, MAX_BPM] as const;

/** A parameter with a range for controllers, such as a volume. */
export function ranged(
  initial: number,
  range: readonly [least: number, greatest: number],
  controllerRange = range,
) {
  return object({
    LomId: int(0),
    Manual: float(initial, range),
    MidiControllerRange: object({
      Min: float(controllerRange[0]),
      Max: float(controllerRange[1]),
    }),
    AutomationTarget: pointee(),
    ModulationTarget: pointee(),
  });
}

/** A parameter that is on or off. */
export function onOff() {
  return object({
    LomId: int(0),
    Manual: bool(true),
    AutomationTarget: pointee(),
    MidiCCOnOffThresholds: object({ Min: int(64, [0, 127]), Max: int(127, [0, 127]) }),
  });
}

/** A parameter that is a choice of several. */
export function chosen(initial: number, range: readonly [least: number, greatest: number]) {
  return object({ LomId: int(0), Manual: int(initial, range), AutomationTarget: pointee() });
}

/** The state while a person stretches events. */
const AUTOMATION_TRANSFORM = object({
  IsTransformPending: bool(false),
  TimeAndValueTransforms: list({}),
});

/** The events of one automation, in beats. */
export const AUTOMATION = object({
  Events: list({
    FloatEvent: object({}, { Time: float(BEFORE_START_BEATS), Value: float(0) }),
    EnumEvent: object({}, { Time: float(BEFORE_START_BEATS), Value: int(0) }),
    BoolEvent: object({}, { Time: float(BEFORE_START_BEATS), Value: bool(false) }),
  }),
  AutomationTransformViewState: AUTOMATION_TRANSFORM,
});

export const AUTOMATION_ENVELOPE = object({
  EnvelopeTarget: object({ PointeeId: reference() }),
  Automation: AUTOMATION,
});

/** The automations of a track. */
export const AUTOMATION_ENVELOPES = object({
  Envelopes: list({ AutomationEnvelope: AUTOMATION_ENVELOPE }),
});

/** Clips in the arrangement, with the same container as events. */
export function arrangementEvents(items: Parameters<typeof list>[0]) {
  return object({
    Events: list(items),
    AutomationTransformViewState: AUTOMATION_TRANSFORM,
  });
}

/** The grid of a clip or of the arrangement. */
export function grid() {
  return object({
    FixedNumerator: int(1),
    FixedDenominator: int(16),
    GridIntervalPixel: int(20),
    Ntoles: int(2),
    SnapToGrid: bool(true),
    Fixed: bool(false),
  });
}

export function timeSelection() {
  return object({ AnchorTime: float(0), OtherTime: float(0) });
}

/** A follow action; a scene's jumps nowhere by default, a clip's to the first. */
export function followAction(jumpIndex: 0 | 1) {
  return object({
    FollowTime: float(4),
    IsLinked: bool(true),
    LoopIterations: int(1),
    FollowActionA: int(4, [0, 9]),
    FollowActionB: int(0, [0, 9]),
    FollowChanceA: int(100, [0, 100]),
    FollowChanceB: int(0, [0, 100]),
    JumpIndexA: int(jumpIndex),
    JumpIndexB: int(jumpIndex),
    FollowActionEnabled: bool(false),
  });
}
