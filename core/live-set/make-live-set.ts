import { fillElement, type Filling, numbered, withId } from "./fill-element.ts";
import { makeClip, shownName } from "./make-clip.ts";
import { meterCode } from "./meter-code.ts";
import { newElement } from "./new-element.ts";
import { nextPointeeId, numberPointees } from "./pointees.ts";
import { AUTOMATION, AUTOMATION_ENVELOPE } from "./schema/parameters.ts";
import { childrenAt, descend, numberAt, type SetElement } from "./set-element.ts";
import type { SetPlan, SetTrack } from "./set-plan.ts";
import type { SetShape } from "./set-shape.ts";

/**
 * Makes the document of a Set (rules LS1 to LS7): the shape, with the plan's tracks, scenes and clips.
 * @throws {MemberMissingError} if the shape lacks a member that has to be set
 */
export function makeLiveSet(plan: SetPlan, shape: SetShape): SetElement {
  const [liveSet] = shape.document.children;
  if (liveSet === undefined) throw new RangeError("A document has a LiveSet.");
  const tracks = plan.scenes.flatMap((scene, index) =>
    scene.tracks.map((track) => makeTrack(track, { plan, shape, sceneIndex: index })),
  );
  let next = nextPointeeId(shape.document);
  const numberedTracks = numbered(tracks).map((track) => {
    const own = numberPointees(track, next);
    next = Math.max(next, nextPointeeId(own));
    return own;
  });
  const masterTag = liveSet.children.some(({ tag }) => tag === "MainTrack")
    ? "MainTrack"
    : "MasterTrack";
  const master = descend(liveSet, masterTag);
  const made = fillElement(liveSet, {
    NextPointeeId: next,
    Tracks: numberedTracks,
    Scenes: numbered(plan.scenes.map(({ name }) => fillElement(shape.scene, { Name: name }))),
    [masterTag]: master === undefined ? {} : masterFilling(master, plan),
  });
  return { ...shape.document, children: [made] };
}

interface Place {
  readonly plan: SetPlan;
  readonly shape: SetShape;
  readonly sceneIndex: number;
}

function makeTrack({ name, clip }: SetTrack, { plan, shape, sceneIndex }: Place): SetElement {
  const shown = shownName(name);
  const empty = numbered(plan.scenes.map(() => shape.slot));
  const slots = empty.map((slot, index) =>
    index === sceneIndex
      ? fillElement(slot, { ClipSlot: { Value: [makeClip(clip, plan, shape.clip)] } })
      : slot,
  );
  return fillElement(shape.track, {
    Name: { EffectiveName: shown, UserName: shown, MemorizedFirstClipName: clip.name },
    Color: clip.colorIndex,
    DeviceChain: {
      MainSequencer: { ClipSlotList: slots },
      FreezeSequencer: { ClipSlotList: empty },
    },
  });
}

/** Sets the tempo and the meter where Live keeps them: as parameters, and as automations that begin before the Set. */
function masterFilling(master: SetElement, { tempoBpm, timeSignature, scenes }: SetPlan): Filling {
  const meter = meterCode(timeSignature) ?? 201;
  const mixer = descend(master, "DeviceChain", "Mixer");
  const envelopes = childrenAt(master, "AutomationEnvelopes", "Envelopes");
  const tempoId = pointeeOf(mixer, "Tempo");
  const withMeter = setEnvelope(envelopes, pointeeOf(mixer, "TimeSignature"), ["EnumEvent", meter]);
  return {
    AutomationEnvelopes: { Envelopes: setEnvelope(withMeter, tempoId, ["FloatEvent", tempoBpm]) },
    DeviceChain: {
      Mixer: { Tempo: { Manual: tempoBpm }, TimeSignature: { Manual: meter } },
      ...masterSlots(master, scenes.length),
    },
  };
}

/** Since Live 12.3 the master has a slot for each scene; before, it has none. */
function masterSlots(master: SetElement, sceneCount: number): Filling {
  const [sequencer] = childrenAt(master, "DeviceChain", "FreezeSequencer");
  const [slot] = childrenAt(sequencer, "ClipSlotList");
  if (sequencer === undefined || slot === undefined) return {};
  const slots = numbered(Array.from({ length: sceneCount }, () => slot));
  return { FreezeSequencer: [fillElement(sequencer, { ClipSlotList: slots })] };
}

function pointeeOf(mixer: SetElement | undefined, parameter: string): number {
  return Number(descend(mixer, parameter, "AutomationTarget")?.attributes.get("Id"));
}

/** Sets the only event of a parameter's automation. */
function setEnvelope(
  envelopes: readonly SetElement[],
  pointeeId: number,
  [tag, value]: readonly [tag: "EnumEvent" | "FloatEvent", value: number],
): readonly SetElement[] {
  const isIts = (envelope: SetElement) =>
    numberAt(envelope, "EnvelopeTarget", "PointeeId") === pointeeId;
  const event = newElement(tag, AUTOMATION.members.Events.items[tag]);
  const filling = {
    EnvelopeTarget: { PointeeId: pointeeId },
    Automation: { Events: numbered([fillElement(event, { "@Value": value })]) },
  };
  if (envelopes.some(isIts)) {
    return envelopes.map((envelope) =>
      isIts(envelope) ? fillElement(envelope, filling) : envelope,
    );
  }
  const free = envelopes.reduce(
    (next, { attributes }) => Math.max(next, Number(attributes.get("Id")) + 1),
    0,
  );
  const made = newElement("AutomationEnvelope", AUTOMATION_ENVELOPE);
  return [...envelopes, withId(free, fillElement(made, filling))];
}
