import { useCallback, useRef } from "preact/hooks";
import type { ClipListProps } from "./clip-list-props.ts";
import { selectRange } from "./select-clips.ts";

type Tick = (key: string, isOn: boolean, isRange: boolean) => void;

/**
 * Ticks a row: with Shift, all rows from the one ticked before; in a selection of several, all that are
 * selected. Rows whose box is fixed stay as they are.
 */
export function useClipTicks({ rows, selection, ticks }: ClipListProps): Tick {
  const last = useRef<string | null>(null);
  return useCallback(
    (key, isOn, isRange) => {
      if (ticks === undefined) return;
      const range = isRange ? selectRange(rows, last.current, key).keys : new Set([key]);
      const keys = !isRange && selection.keys.has(key) ? selection.keys : range;
      last.current = key;
      const free = rows
        .map((row) => row.key)
        .filter((one) => keys.has(one) && !ticks.fixed.has(one));
      ticks.onTick(free, isOn);
    },
    [rows, selection, ticks],
  );
}
