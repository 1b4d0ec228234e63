import { useRef, useState } from "preact/hooks";
import { type ClipRow, type ClipSelection, NO_SELECTION } from "./clip-row.ts";
import { keepSelection } from "./select-clips.ts";

/** A clip list's selection, kept valid while its rows change. */
export function useClipSelection(
  rows: readonly ClipRow[],
): readonly [selection: ClipSelection, select: (selection: ClipSelection) => void] {
  const [chosen, select] = useState<ClipSelection>(NO_SELECTION);
  const last = useRef(rows);
  const kept = last.current === rows ? chosen : keepSelection(chosen, rows, last.current);
  last.current = rows;
  // While rendering: no frame shows a row that is gone as selected.
  if (kept !== chosen) select(kept);
  return [kept, select];
}
