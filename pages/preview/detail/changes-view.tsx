import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { PreviewDiff, PreviewScene } from "../../../core/protocol/preview-api.ts";
import { countOf } from "../../../core/text/count-of.ts";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import { usePreview } from "../preview-store.ts";
import { Refused, useAction } from "../../kit/action.tsx";

interface ChangesViewProps {
  /** The scene whose edits to show; null for all scenes. */
  readonly scene: PreviewScene | null;
  /** A text that changes with the files on disk. */
  readonly version: string;
}

/** Shows edits as diffs to copy or to save (rule V17). */
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
  const { manifest, layout, applyIn, unread } = diff;
  const name = scene === null ? "soundferry" : scene.folder.replace(/[^\w.-]+/g, "-");
  return (
    <div class="changes">
      <p class="quiet">
        Apply a diff with <code>git apply</code> in <bdi>{applyIn}</bdi>.
      </p>
      {unread > 0 && (
        <p>
          Still reading the sounds of {countOf(unread, "package")}: the layout diff is incomplete.
        </p>
      )}
      <DiffText
        title="Manifest, since the preview started"
        none="No manifest has changed since the preview started."
        diff={manifest}
        fileName={`${name}-manifest.diff`}
      />
      <DiffText
        title="Layout, against the accepted one"
        none={unread === 0 ? "The layout is the accepted one." : "Nothing so far."}
        diff={layout}
        fileName={`${name}-layout.diff`}
      />
    </div>
  );
}

interface DiffTextProps {
  readonly title: string;
  /** The sentence for an empty diff. */
  readonly none: string;
  readonly diff: string;
  readonly fileName: string;
}

/** A unified diff, with buttons that copy and save it. */
function DiffText({ title, none, diff, fileName }: DiffTextProps): VNode {
  const { begin, error } = useAction();
  const [copied, setCopied] = useState("");
  const copy = (): void => {
    begin(
      () => navigator.clipboard.writeText(diff),
      () => setCopied(diff),
    );
  };
  return (
    <section class="diff" aria-label={title}>
      <div class="diff-head">
        <h2 class="part-title">{title}</h2>
        <button type="button" disabled={diff === ""} aria-label={`Copy: ${title}`} onClick={copy}>
          {copied === diff && diff !== "" ? "Copied" : "Copy"}
        </button>
        <button
          type="button"
          disabled={diff === ""}
          aria-label={`Save: ${title}`}
          onClick={() => save(diff, fileName)}
        >
          Save
        </button>
        <Refused error={error} />
      </div>
      {diff === "" ? (
        <p class="quiet">{none}</p>
      ) : (
        // A scrollable area must be reachable by keyboard.
        <pre tabIndex={0} aria-label={title} role="group">
          {diff.split("\n").map((line, index) => (
            <span key={index} class={classOf(line)}>
              {line}
              {"\n"}
            </span>
          ))}
        </pre>
      )}
    </section>
  );
}

function classOf(line: string): string {
  if (/^(?:\+\+\+|---|@@)/.test(line)) return "quiet";
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "";
}

function save(text: string, fileName: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/x-diff" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address));
}
