import type { Finding } from "../../../core/findings/finding.ts";
import { SOUND_ROLES } from "../../../core/manifest/manifest.ts";
import type { PreviewReadScene, PreviewTrack } from "../../../core/protocol/preview-api.ts";
import { countOf } from "../../../core/text/count-of.ts";
import type { ClipRow, ClipState } from "../../kit/clip-list/clip-row.ts";
import { soundKey, type SceneView } from "../../kit/playback/scene-view.ts";
import { fileSecondsOf } from "./picture-clip.ts";
import { usableTracks } from "../../../core/layout/usable-tracks.ts";
import { formatNumber } from "../../../core/text/format-number.ts";
import { planPlayback, type PlannedPart } from "../../kit/playback/plan-playback.ts";

/** A row of the clip list, with its scene and track. */
export interface SoundRow {
  readonly row: ClipRow;
  readonly scene: PreviewReadScene;
  readonly track: PreviewTrack;
}

/** Returns the rows of a scene's sounds. @param tracks some of the scene's */
export function clipRows(
  scene: PreviewReadScene,
  tracks: readonly PreviewTrack[],
  { isAmongOthers = false, playback = NO_PLAYBACK }: ClipRowsOptions = {},
): readonly SoundRow[] {
  const differing = differingSounds(scene);
  return tracks.map((track): SoundRow => {
    const state =
      stateOf(scene, track, differing) ??
      playback.get(track.id) ??
      (isAmongOthers ? { tone: "quiet", words: scene.name } : null);
    const role = SOUND_ROLES.find((one) => one === track.fields["role"]) ?? null;
    const named = { key: soundKey(scene.key, track.id), name: track.clip, kind: track.kind, role };
    if ("error" in track) {
      const unknown = { color: null, tempoBpm: null, lengthBeats: null, durationSeconds: null };
      return { scene, track, row: { ...named, ...unknown, state, silentBecause: track.error } };
    }
    const row: ClipRow = {
      ...named,
      color: track.color,
      tempoBpm: track.tempo_bpm,
      lengthBeats: track.loop_beats,
      durationSeconds: fileSecondsOf(track),
      state,
      silentBecause: null,
    };
    return { scene, track, row };
  });
}

interface ClipRowsOptions {
  /** Set if the list has sounds of other scenes, too, so that rows name their scene. */
  readonly isAmongOthers?: boolean;
  /** Remarkable facts about playback, by sound id. */
  readonly playback?: ReadonlyMap<string, ClipState>;
}

const NO_PLAYBACK: ReadonlyMap<string, ClipState> = new Map();

function stateOf(
  scene: PreviewReadScene,
  track: PreviewTrack,
  differing: ReadonlySet<string | null>,
): ClipState | null {
  if ("error" in track) return { tone: "bad", words: "Can’t be used" };
  const faults = scene.manifest?.faults.filter(({ soundId }) => soundId === track.id).length ?? 0;
  if (faults > 0) return { tone: "mixed", words: countOf(faults, "problem") };
  if (differing.has(track.id)) return { tone: "mixed", words: "Changed" };
  const heard = findingsOf(scene, track.id).length;
  const words = countOf(heard + track.notes.length, "note");
  if (heard > 0) return { tone: "mixed", words };
  return track.notes.length > 0 ? { tone: "quiet", words } : null;
}

/** Returns what was heard in a sound, or so far in none. */
export function findingsOf({ findings }: PreviewReadScene, soundId: string): readonly Finding[] {
  return findings?.filter(({ sound }) => sound === soundId) ?? [];
}

/** Returns the ids of the sounds that differ from the accepted layout. */
function differingSounds({ golden }: PreviewReadScene): ReadonlySet<string | null> {
  return new Set(golden.status === "differs" ? golden.differences.map(({ sound }) => sound) : []);
}

/** Returns remarkable facts about how a scene's sounds play at a tempo, by sound id (rule V6). */
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
