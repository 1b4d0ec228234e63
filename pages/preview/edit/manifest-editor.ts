import type {
  FieldChange,
  PreviewReadScene,
  PreviewTrack,
} from "../../../core/protocol/preview-api.ts";
import type { PreviewCalls } from "../preview-calls.ts";
import { SOUND_FIELDS } from "../../../core/manifest/editable-fields.ts";
import { fieldForm } from "./field-values.ts";

/** An edit of some fields in one scene's manifest. */
export interface SceneEdit {
  readonly key: string;
  /** The manifest's revision that the person saw. */
  readonly revision: string;
  readonly changes: readonly FieldChange[];
}

/** Sends edits one after another, so that a second one may follow before the page has seen the first. */
export class ManifestEditor {
  readonly #calls: Pick<PreviewCalls, "edit">;
  /** The revision that the page's own edits made of each revision. */
  readonly #next = new Map<string, string>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(calls: Pick<PreviewCalls, "edit">) {
    this.#calls = calls;
  }

  /** Writes the edits; resolves once all are written. @throws {Error} with a sentence, at the first refused edit */
  edit(edits: readonly SceneEdit[]): Promise<void> {
    const work = this.#last.then(async () => {
      for (const { key, revision, changes } of edits) {
        const from = this.#newest(key, revision);
        const to = await this.#calls.edit(key, { revision: from, changes });
        if (to !== from) this.#next.set(idOf(key, from), to);
        // An edit may bring back an earlier revision, which is the newest then.
        this.#next.delete(idOf(key, to));
      }
    });
    this.#last = work.catch(() => undefined);
    return work;
  }

  /** Returns the revision after the page's own edits; those of other programs are not followed. */
  #newest(key: string, revision: string): string {
    const next = this.#next.get(idOf(key, revision));
    return next === undefined ? revision : this.#newest(key, next);
  }
}

function idOf(key: string, revision: string): string {
  return `${key} ${revision}`;
}

/** A sound to edit. */
interface EditedSound {
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
