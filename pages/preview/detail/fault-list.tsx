import type { VNode } from "preact";
import type { ManifestFault } from "../../../core/protocol/preview-api.ts";

interface FaultListProps {
  readonly faults: readonly ManifestFault[];
}

/** What is wrong, one entry each, with its place in `manifest.json` and the text there (rule V15). */
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
