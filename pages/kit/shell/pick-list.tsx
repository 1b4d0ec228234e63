import type { ComponentChildren, VNode } from "preact";
import { useRef } from "preact/hooks";
import { useActiveRow, focusControl, useRowWindow } from "../rows/use-row-window.ts";
import { rowOfKey } from "../rows/rows.ts";

export interface PickItem {
  /** Unique in its list. */
  readonly key: string;
  /** The whole row as a screen reader reads it. */
  readonly spoken: string;
  /** Two lines at most, because each row is 3 rem high. */
  readonly content: ComponentChildren;
  /** A button at the row's end, such as Play. The arrow keys reach it, so it has `tabIndex={-1}`. */
  readonly button?: ComponentChildren;
}

interface PickListProps {
  readonly label: string;
  readonly items: readonly PickItem[];
  readonly picked: string | null;
  readonly onPick: (key: string) => void;
  /** Called for Enter or a click, so that a narrow window shows the main pane. */
  readonly onOpen?: (key: string) => void;
  /** Handles other keys on the picked row, such as Space; returns whether it did something. */
  readonly onKey?: (event: KeyboardEvent, key: string) => boolean;
  /** Content shown while there are no rows. */
  readonly empty: ComponentChildren;
}

/** A list of packages or scenes, of which one is picked. */
export function PickList(props: PickListProps): VNode {
  const { label, items, picked, empty } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const index = items.findIndex(({ key }) => key === picked);
  const stop = Math.max(0, index);
  const view = useRowWindow({ scroller, count: items.length, rowHeight: "--pick-row", kept: stop });
  useActiveRow({ scroller, key: picked, index, reveal: view.reveal });
  return (
    <div
      ref={scroller}
      class="pick-list"
      // Screen readers don't accept a grid without rows.
      role={items.length === 0 ? "group" : "grid"}
      aria-label={label}
      aria-rowcount={items.length === 0 ? undefined : items.length}
      onKeyDown={(event) => pressKey(event, props, index, view.pageRows)}
      onClick={(event) => clickRow(event, props)}
    >
      <div
        class="pick-rows"
        role={items.length === 0 ? undefined : "rowgroup"}
        style={{ height: `${items.length * view.rowPixels}px` }}
      >
        {view.indexes.map((at) => {
          const item = items[at];
          if (item === undefined) return null;
          const isPicked = at === index;
          const top = `${at * view.rowPixels}px`;
          return <PickRow key={item.key} {...{ item, at, isPicked, top }} isStop={at === stop} />;
        })}
      </div>
      {items.length === 0 && <div class="pick-none">{empty}</div>}
    </div>
  );
}

interface PickRowProps {
  readonly item: PickItem;
  readonly at: number;
  readonly isPicked: boolean;
  readonly isStop: boolean;
  readonly top: string;
}

function PickRow({ item, at, isPicked, isStop, top }: PickRowProps): VNode {
  return (
    <div
      role="row"
      class={`pick-row ${isPicked ? "selected" : ""}`}
      style={{ top }}
      data-key={item.key}
      aria-rowindex={at + 1}
      aria-selected={isPicked}
      aria-label={item.spoken}
      tabIndex={isStop ? 0 : -1}
    >
      <div role="gridcell" class="pick-content">
        {item.content}
      </div>
      {item.button !== undefined && (
        <div role="gridcell" class="pick-button">
          {item.button}
        </div>
      )}
    </div>
  );
}

function pressKey(
  event: KeyboardEvent,
  { items, onPick, onOpen, onKey }: PickListProps,
  index: number,
  pageRows: number,
): void {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const row = event.target instanceof Element ? event.target.closest("[data-key]") : null;
  const to = rowOfKey(event.key, index, { count: items.length, pageRows });
  const next = to === null ? undefined : items[to]?.key;
  const key = row instanceof HTMLElement ? row.dataset["key"] : undefined;
  if (next !== undefined) onPick(next);
  else if (row instanceof HTMLElement && focusControl(row, event.key)) event.stopPropagation();
  else if (row !== event.target || key === undefined) return;
  else if (onKey?.(event, key) === true) event.stopPropagation();
  else if (event.key === "Enter") {
    onPick(key);
    onOpen?.(key);
  } else return;
  event.preventDefault();
}

function clickRow({ target }: MouseEvent, { onPick, onOpen }: PickListProps): void {
  if (!(target instanceof Element) || target.closest("button, a, input") !== null) return;
  const key = target.closest<HTMLElement>("[data-key]")?.dataset["key"];
  if (key === undefined) return;
  onPick(key);
  onOpen?.(key);
}
