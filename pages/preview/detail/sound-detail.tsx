import type { VNode } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { formatFinding } from "../../../core/findings/finding.ts";
import { SOUND_FIELDS } from "../../../core/manifest/editable-fields.ts";
import type { PreviewTrack, PreviewUsableTrack } from "../../../core/protocol/preview-api.ts";
import { countOf } from "../../../core/text/count-of.ts";
import { findingsOf, type SoundRow } from "../clips/clip-rows.ts";
import { FieldForm } from "../edit/field-form.tsx";
import { fieldForm } from "../edit/field-values.ts";
import { planSoundEdit } from "../edit/manifest-editor.ts";
import { formatClip, fileSecondsOf, pictureClip } from "../clips/picture-clip.ts";
import { FaultList } from "./package-detail.tsx";
import { formatOutline } from "../../../core/audio/peaks.ts";
import { useIsMoving, usePlayhead } from "../../kit/clip-list/use-playing.ts";
import { usePreview } from "../preview-store.ts";

const FORMS = SOUND_FIELDS.map((name) => fieldForm(name, true));

interface SoundDetailProps {
  /** At least one sound; the first is shown, and all are edited. */
  readonly selected: readonly SoundRow[];
}

/** A sound: its picture, settings, notes and problems, and the fields of all selected sounds. */
export function SoundDetail({ selected }: SoundDetailProps): VNode {
  const [first] = selected;
  if (first === undefined) return <></>;
  const fixed = selected.find(({ scene }) => scene.manifest?.fixedBecause !== null);
  return (
    <div class="columns">
      {selected.length === 1 ? <OneSound sound={first} /> : <Several selected={selected} />}
      <FieldForm
        key={selected.map(({ row }) => row.key).join(" ")}
        label="Sound"
        forms={FORMS}
        values={selected.map(({ track }) => track.fields)}
        fixedBecause={fixed?.scene.manifest?.fixedBecause ?? null}
        isFixed={({ name, isOnlyForLoops }) =>
          isOnlyForLoops &&
          selected.every(({ track }) => track.kind !== "loop" && track.fields[name] === undefined)
        }
        planEdit={(field, value) => planSoundEdit(selected, field, value)}
      />
    </div>
  );
}

function OneSound({ sound: { row, scene, track } }: { readonly sound: SoundRow }): VNode {
  const faults = scene.manifest?.faults.filter(({ soundId }) => soundId === track.id) ?? [];
  return (
    <div class="column" data-sound={track.id}>
      <h2 class="part-title">
        <bdi>{track.clip}</bdi>
      </h2>
      {!("error" in track) && <ClipPicture sceneKey={scene.key} track={track} clipKey={row.key} />}
      <dl class="settings">
        {factsOf(track).map(([name, words]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      {row.state?.because !== undefined && (
        <p class={`tone ${row.state.tone}`}>{row.state.because}</p>
      )}
      {findingsOf(scene, track.id).map((finding) => (
        <p key={finding.sentence} class="tone mixed">
          {formatFinding(finding)}
        </p>
      ))}
      {!("error" in track) &&
        track.notes.map((note) => (
          <p key={note} class="quiet">
            {note}
          </p>
        ))}
      <FaultList faults={faults} />
    </div>
  );
}

function factsOf(track: PreviewTrack): readonly (readonly [name: string, words: string])[] {
  const line = track.line === null ? "" : `, line ${track.line} of manifest.json`;
  const own = [
    ["Track", track.track],
    ["File", `${track.file}${line}`],
  ] as const;
  if ("error" in track) return own;
  const { sampleRateHz, channels } = track;
  const audio = `${sampleRateHz / 1000} kHz, ${countOf(channels, "channel")}`;
  return [...formatClip(track), ...own, ["Audio", audio]];
}

function Several({ selected }: SoundDetailProps): VNode {
  return (
    <div class="column">
      <h2 class="part-title">{countOf(selected.length, "sound")}</h2>
      <p class="quiet">An edit changes all of them.</p>
    </div>
  );
}

const WIDTH = 320;
const HEIGHT = 64;

interface ClipPictureProps {
  readonly sceneKey: string;
  readonly track: PreviewUsableTrack;
  /** Key of the sound's row. */
  readonly clipKey: string;
}

/** A sound's waveform over its beats, as wide as the longer of file and loop; the part outside the loop is dimmed. */
function ClipPicture({ sceneKey, track, clipKey }: ClipPictureProps): VNode {
  const { audio } = usePreview();
  const peaks = useOutline(sceneKey, track);
  const { drawnSeconds, fileEnd, loopEnd, beats } = pictureClip(track);
  const playhead = useRef<HTMLSpanElement>(null);
  const isMoving = useIsMoving(audio, clipKey);
  const filePart = drawnSeconds === 0 ? 0 : fileSecondsOf(track) / drawnSeconds;
  const position = useCallback((): number | null => {
    const at = audio.position(clipKey);
    return at === null ? null : at * filePart;
  }, [audio, clipKey, filePart]);
  usePlayhead(playhead, position, isMoving);
  return (
    <div class="wave" aria-hidden="true" style={{ "--clip": track.color ?? "var(--shape)" }}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
        {beats.map((part) => (
          <path key={part} class="beat" d={`M${part * WIDTH} 0v${HEIGHT}`} />
        ))}
        <path class="middle" d={`M0 ${HEIGHT / 2}h${WIDTH}`} />
        {peaks !== null && <path class="shape" d={formatOutline(peaks, fileEnd * WIDTH, HEIGHT)} />}
        {loopEnd !== null && loopEnd < 1 && (
          <path
            class="outside"
            d={`M${loopEnd * WIDTH} 0H${WIDTH}V${HEIGHT}H${loopEnd * WIDTH}Z`}
          />
        )}
        {loopEnd !== null && (loopEnd < 1 || fileEnd < 1) && (
          <path class="loop-end" d={`M${loopEnd * WIDTH} 0v${HEIGHT}`} />
        )}
      </svg>
      <span class="playhead" ref={playhead} hidden={!isMoving} />
    </div>
  );
}

/** Returns a sound's peaks; null until they are fetched, empty if the file is too large. */
function useOutline(
  sceneKey: string,
  { id, revision, bytes }: PreviewUsableTrack,
): readonly number[] | null {
  const { player } = usePreview();
  const [peaks, setPeaks] = useState<readonly number[] | null>(null);
  useEffect(() => {
    let isWanted = true;
    setPeaks(null);
    const draw = async (): Promise<void> => {
      try {
        const drawn = await player.sounds.outline(sceneKey, id, revision, bytes);
        if (isWanted) setPeaks(drawn);
      } catch {
        // The waveform is optional; Play reports what is wrong.
      }
    };
    void draw();
    return () => {
      isWanted = false;
    };
  }, [player, sceneKey, id, revision, bytes]);
  return peaks;
}
