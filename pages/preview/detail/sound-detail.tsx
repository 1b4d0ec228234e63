import type { VNode } from "preact";
import { SOUND_FIELDS } from "../../../core/manifest/editable-fields.ts";
import type { PreviewTrack } from "../../../core/protocol/preview-api.ts";
import { countOf } from "../../../core/text/count-of.ts";
import type { SoundRow } from "../clips/clip-rows.ts";
import { FieldForm } from "../edit/field-form.tsx";
import { fieldForm } from "../edit/field-values.ts";
import { planSoundEdit } from "../edit/plan-sound-edit.ts";
import { formatClip } from "../text/format-clip.ts";
import { ClipPicture } from "./clip-picture.tsx";
import { FaultList } from "./fault-list.tsx";

const FORMS = SOUND_FIELDS.map((name) => fieldForm(name, true));

interface SoundDetailProps {
  /** At least one; the first is shown, and all are edited. */
  readonly selected: readonly SoundRow[];
}

/** A sound: its picture, settings, notes and problems; and its fields, together with those of the others selected. */
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
      <h3>
        <bdi>{track.clip}</bdi>
      </h3>
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
      <h3>{countOf(selected.length, "sound")}</h3>
      <p class="quiet">An edit changes all of them.</p>
    </div>
  );
}
