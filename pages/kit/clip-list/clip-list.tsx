import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import { LiveRegion } from "../live-region.tsx";
import { type RowWindow, useRowWindow } from "../rows/use-row-window.ts";
import { t } from "../text.tsx";
import { ClipHead } from "./clip-head.tsx";
import type { ClipListProps } from "./clip-list-props.ts";
import { ClipRowView } from "./clip-row-view.tsx";
import { useActiveRow } from "../rows/use-active-row.ts";
import { useClipKeys } from "./use-clip-keys.ts";
import { useClipMouse } from "./use-clip-mouse.ts";
import { useClipPlay } from "./use-clip-play.ts";
import { useClipTicks } from "./use-clip-ticks.ts";

/** Heights of a row and of the columns' names, as `--row` and `--clip-head` in the style. */
const ROW_REM = 2;
const HEAD_REM = 1.75;

/**
 * Sounds as a table with Live's look: 2 rem a row, whatever is in it. Only rows near the view are in the
 * document. The page keeps the selection (`useClipSelection`).
 */
export function ClipList(props: ClipListProps): VNode {
  const { label, rows, ticks, mixer } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const { view, active, failed, announcement, onTick, play, events } = useClipList(props, scroller);
  const classes = ["clips", ticks && "has-ticks", mixer && "has-mixer"];
  return (
    <div class={classes.filter((name) => name !== undefined).join(" ")}>
      <div
        ref={scroller}
        class="clip-scroller"
        role="grid"
        aria-label={label}
        aria-multiselectable="true"
        aria-rowcount={rows.length + 1}
        {...events}
      >
        <ClipHead rows={rows} ticks={ticks} hasMixer={mixer !== undefined} />
        <div
          {...(rows.length > 0 && { role: "rowgroup" })}
          class="clip-rows"
          style={{ height: heightOf(rows.length, view) }}
        >
          {view.indexes.map((index) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <ClipRowView
                key={row.key}
                {...{ row, index, audio: props.audio, ticks, mixer, onTick, onPlay: play }}
                topPixels={index * view.rowPixels}
                isSelected={props.selection.keys.has(row.key)}
                isStop={index === Math.max(0, active)}
                state={failed.get(row.key) ?? row.state}
              />
            );
          })}
        </div>
      </div>
      {rows.length === 0 && <p class="clip-none quiet">{t("clips.none")}</p>}
      <LiveRegion {...announcement} />
    </div>
  );
}

/** What the list keeps and does: its window, its events, and what plays. */
function useClipList(props: ClipListProps, scroller: { readonly current: HTMLElement | null }) {
  const { rows, selection, audio } = props;
  const anchor = useRef<string | null>(null);
  const active = rows.findIndex(({ key }) => key === selection.active);
  const view = useRowWindow({
    scroller,
    count: rows.length,
    rowRem: ROW_REM,
    headRem: HEAD_REM,
    kept: Math.max(0, active),
  });
  const playing = useClipPlay(rows, audio);
  const onTick = useClipTicks(props);
  const { play } = playing;
  const onKeyDown = useClipKeys({ ...props, active, anchor, pageRows: view.pageRows, play });
  const events = { onKeyDown, ...useClipMouse({ ...props, anchor }) };
  useActiveRow({ scroller, key: selection.active, index: active, reveal: view.reveal });
  return { view, active, onTick, events, ...playing };
}

function heightOf(count: number, { rowPixels }: RowWindow): string {
  return `${count * rowPixels}px`;
}
