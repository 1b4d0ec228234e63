import type { VNode } from "preact";
import { PACKAGE_FIELDS } from "../../../core/manifest/editable-fields.ts";
import type {
  PreviewManifest,
  PreviewReadScene,
  PreviewScene,
  ManifestFault,
} from "../../../core/protocol/preview-api.ts";
import { FieldForm } from "../edit/field-form.tsx";
import { fieldForm } from "../edit/field-values.ts";

const FORMS = PACKAGE_FIELDS.map((name) => fieldForm(name, false));

/** A package: its fields and its problems. */
export function PackageDetail({ scene }: { readonly scene: PreviewScene }): VNode {
  const { manifest } = scene;
  if (manifest === null) return <p class="tone bad">{"error" in scene ? scene.error : ""}</p>;
  // The faults of an unusable folder are shown in place of its sounds.
  const own = "error" in scene ? [] : manifest.faults.filter(({ soundId }) => soundId === null);
  return (
    <div class="columns">
      <div class="column">
        <p class="quiet facts">
          <bdi>{scene.folder}</bdi>
        </p>
        <FaultList faults={own} />
        {own.length === 0 && !("error" in scene) && (
          <p class="quiet">The package has no problems besides those of its sounds.</p>
        )}
        {!("error" in scene) && scene.golden.status === "unreadable" && (
          <p class="tone bad">{scene.golden.error}</p>
        )}
        {!("error" in scene) && <FindingList scene={scene} />}
      </div>
      <PackageForm sceneKey={scene.key} manifest={manifest} />
    </div>
  );
}

/** A list of the findings of a package's sounds (rule V18). */
function FindingList({ scene }: { readonly scene: PreviewReadScene }): VNode | null {
  const { findings, tracks } = scene;
  if (findings === null) return <p class="quiet">Listening to the sounds…</p>;
  if (findings.length === 0) return null;
  const names = new Map(tracks.map(({ id, clip }) => [id, clip]));
  return (
    <ul class="faults">
      {findings.map(({ sound, code, sentence }) => (
        <li key={`${sound} ${code}`} class="mixed">
          <p>
            Note: <bdi>{names.get(sound) ?? sound}</bdi> {sentence}.
          </p>
        </li>
      ))}
    </ul>
  );
}

interface PackageFormProps {
  readonly sceneKey: string;
  readonly manifest: PreviewManifest;
}

function PackageForm({ sceneKey, manifest }: PackageFormProps): VNode {
  const { revision, fields, fixedBecause } = manifest;
  return (
    <FieldForm
      key={sceneKey}
      label="Package"
      forms={FORMS}
      values={[fields]}
      fixedBecause={fixedBecause}
      isFixed={() => false}
      planEdit={(field, value) => [
        { key: sceneKey, revision, changes: [{ soundId: null, field, value }] },
      ]}
    />
  );
}

interface FaultListProps {
  readonly faults: readonly ManifestFault[];
}

/** A list of faults, each with its place in `manifest.json` and the text there (rule V15). */
export function FaultList({ faults }: FaultListProps): VNode | null {
  if (faults.length === 0) return null;
  return (
    <ul class="faults">
      {faults.map((fault, index) => (
        <li key={index} class={fault.isError ? "bad" : "mixed"}>
          <p>{fault.message}</p>
          <FaultPlace fault={fault} />
        </li>
      ))}
    </ul>
  );
}

function FaultPlace({ fault: { place } }: { readonly fault: ManifestFault }): VNode | null {
  if (place === null) return null;
  const { line, column, before, text, after } = place;
  return (
    <p class="place">
      <span class="quiet">
        Line {line}, column {column}
      </span>
      <code>
        <bdi>
          {before}
          <mark>{text === "" ? " " : text}</mark>
          {after}
        </bdi>
      </code>
    </p>
  );
}
