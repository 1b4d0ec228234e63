import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { PreviewDiff, PreviewScene } from "../../../core/protocol/preview-api.ts";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import { usePreview } from "../preview-context.ts";
import { DiffText } from "./diff-text.tsx";

interface ChangesViewProps {
  /** null for all. */
  readonly scene: PreviewScene | null;
  /** Changes with what is on disk. */
  readonly version: string;
}

/** Edits as diffs to copy or to save (rule V17). */
export function ChangesView({ scene, version }: ChangesViewProps): VNode {
  const { calls } = usePreview();
  const [diff, setDiff] = useState<PreviewDiff | null>(null);
  const [error, setError] = useState<string | null>(null);
  const key = scene?.key ?? null;
  useEffect(() => {
    let isWanted = true;
    calls.diff(key).then(
      (read) => {
        if (isWanted) setDiff(read);
      },
      (failure: unknown) => {
        if (isWanted) setError(sentenceOf(failure));
      },
    );
    return () => {
      isWanted = false;
    };
  }, [calls, key, version]);
  if (error !== null) return <p class="tone bad">{error}</p>;
  if (diff === null) return <p class="quiet">Reading the changes…</p>;
  const { manifest, layout, applyIn } = diff;
  const name = scene === null ? "soundferry" : scene.folder.replace(/[^\w.-]+/g, "-");
  return (
    <div class="changes">
      <p class="quiet">
        Apply a diff with <code>git apply</code> in <bdi>{applyIn}</bdi>.
      </p>
      <DiffText
        title="Manifest, since the preview started"
        none="No manifest has changed since the preview started."
        diff={manifest}
        fileName={`${name}-manifest.diff`}
      />
      <DiffText
        title="Layout, against the accepted one"
        none="The layout is the accepted one."
        diff={layout}
        fileName={`${name}-layout.diff`}
      />
    </div>
  );
}
