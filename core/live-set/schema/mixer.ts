import {
  chosen,
  LEAST_GAIN,
  METER_RANGE,
  MOST_VOLUME,
  onOff,
  ranged,
  TEMPO_RANGE,
} from "./parameters.ts";
import {
  bool,
  choice,
  place,
  float,
  int,
  list,
  listWrapper,
  object,
  others,
  plainPointee,
  text,
} from "./shape.ts";

const BALANCE = [-1, 1] as const;

/** The first members of a mixer or a sequencer, as of every device. */
export function deviceHead() {
  return {
    LomId: int(0),
    LomIdView: int(0),
    IsExpanded: bool(true),
    On: onOff(),
    ModulationSourceCount: int(0),
    ParametersListWrapper: listWrapper(),
    Pointee: plainPointee(),
    LastSelectedTimeableIndex: int(0),
    LastSelectedClipEnvelopeIndex: int(0),
    LastPresetRef: object({ Value: place() }),
    LockedScripts: others(),
    IsFolded: bool(false),
    ShouldShowPresetName: bool(false),
    UserName: text(),
    Annotation: text(),
    SourceContext: object({ Value: place() }),
  };
}

function mixerMembers() {
  return {
    ...deviceHead(),
    /** One for each return track. */
    Sends: list({
      TrackSendHolder: object({ Send: ranged(LEAST_GAIN, [LEAST_GAIN, 1]), Active: bool(true) }),
    }),
    Speaker: onOff(),
    SoloSink: bool(false),
    PanMode: choice(0, [0, 1]),
    Pan: ranged(0, BALANCE),
    SplitStereoPanL: ranged(-1, BALANCE),
    SplitStereoPanR: ranged(1, BALANCE),
    Volume: ranged(1, [LEAST_GAIN, MOST_VOLUME]),
    ViewStateSesstionTrackWidth: int(93),
    CrossFadeState: chosen(1, [0, 2]),
    SendsListWrapper: listWrapper(),
  };
}

/** The mixer of a track. */
export const MIXER = object(mixerMembers());

/** The mixer of the master, which has the Set's tempo and meter. */
export const MASTER_MIXER = object({
  ...mixerMembers(),
  Tempo: ranged(120, TEMPO_RANGE, [60, 200]),
  TimeSignature: chosen(201, METER_RANGE),
  GlobalGrooveAmount: ranged(100, [0, 131.25]),
  CrossFade: ranged(0, BALANCE),
  TempoAutomationViewBottom: float(60, TEMPO_RANGE),
  TempoAutomationViewTop: float(200, TEMPO_RANGE),
});
