import { SOUND_FIELDS } from "../../../core/manifest/editable-fields.ts";
import type {
  FieldChange,
  PreviewReadScene,
  PreviewTrack,
} from "../../../core/protocol/preview-api.ts";
import { fieldForm } from "./field-values.ts";
import type { SceneEdit } from "./manifest-editor.ts";

/** A sound to edit. */
export interface EditedSound {
  readonly scene: PreviewReadScene;
  readonly track: PreviewTrack;
}

/**
 * Sets one field of several sounds, with one edit for each scene. A sound that becomes a one-shot loses the fields of a
 * loop, which would be faults there.
 * @param value null removes the field
 */
export function planSoundEdit(
  sounds: readonly EditedSound[],
  field: string,
  value: unknown,
): readonly SceneEdit[] {
  const byScene = new Map<PreviewReadScene, FieldChange[]>();
  for (const { scene, track } of sounds) {
    const changes = byScene.get(scene) ?? [];
    changes.push({ soundId: track.id, field, value });
    if (field === "kind" && value !== "loop") changes.push(...loopFields(track));
    byScene.set(scene, changes);
  }
  return [...byScene].map(([{ key, manifest }, changes]) => ({
    key,
    revision: manifest?.revision ?? "",
    changes,
  }));
}

function loopFields({ id: soundId, fields }: PreviewTrack): readonly FieldChange[] {
  return SOUND_FIELDS.filter(
    (name) => fields[name] !== undefined && fieldForm(name, true).isOnlyForLoops,
  ).map((field) => ({ soundId, field, value: null }));
}
