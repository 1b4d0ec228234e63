import type { VNode } from "preact";
import type { ClipSelection } from "../../kit/clip-list/clip-row.ts";

interface OpenDetailsProps {
  readonly label: string;
  readonly selection: ClipSelection;
  readonly onOpen: () => void;
}

/** Opens the details of the selected sounds, in windows that are too narrow to show them beside the list. */
export function OpenDetails({ label, selection, onOpen }: OpenDetailsProps): VNode {
  return (
    <button
      type="button"
      class="open-details"
      disabled={selection.keys.size === 0}
      onClick={onOpen}
    >
      {label}
    </button>
  );
}
