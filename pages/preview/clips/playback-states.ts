import { usableTracks } from "../../../core/layout/usable-tracks.ts";
import type { PreviewReadScene } from "../../../core/protocol/preview-api.ts";
import { formatNumber } from "../../../core/text/format-number.ts";
import type { ClipState } from "../../kit/clip-list/clip-row.ts";
import { planPlayback, type PlannedPart } from "../../kit/playback/plan-playback.ts";
import type { SceneView } from "../../kit/playback/scene-view.ts";

/** What is worth saying about how a scene's sounds play at a tempo, by sound id (rule V6). */
export function playbackStates(
  scene: PreviewReadScene,
  tempoBpm: number,
  { errors, rendering }: Pick<SceneView, "errors" | "rendering">,
): ReadonlyMap<string, ClipState> {
  const states = new Map<string, ClipState>();
  for (const part of planPlayback(usableTracks(scene), tempoBpm)) {
    const error = part.problem ?? errors.get(part.soundId);
    if (error !== undefined) {
      states.set(part.soundId, { tone: "bad", words: "Can’t play", because: error });
    } else if (rendering.has(part.soundId)) {
      states.set(part.soundId, { tone: "busy", words: "Warping…" });
    } else if (part.isStretched) {
      states.set(part.soundId, stretched(part));
    } else if (part.timing === "guessed") {
      const because = "Its tempo isn’t known, so it plays at its own speed in this preview.";
      states.set(part.soundId, { tone: "quiet", words: "Not in sync", because });
    }
  }
  return states;
}

function stretched({ rate, method }: PlannedPart): ClipState {
  const factor = `×${formatNumber(rate)}`;
  const pitch = method === null ? "and its pitch changes with it" : "and keeps its pitch";
  const because = `Plays at ${factor} of its speed in this preview only, ${pitch}.`;
  return { tone: "quiet", words: `${factor} here`, because };
}
