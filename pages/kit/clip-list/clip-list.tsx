import type { VNode } from "preact";
import { useRef, useEffect } from "preact/hooks";
import { t } from "../page-language.ts";
import { LiveRegion } from "../text.tsx";
import { type RowWindow, useRowWindow, useActiveRow } from "../rows/use-row-window.ts";
import type { ClipListProps, ClipTicks, ClipRow } from "./clip-row.ts";
import { ClipRowView } from "./clip-row-view.tsx";
import { useClipKeys, useClipMouse, useClipTicks } from "./use-clip-input.ts";
import { useClipPlay } from "./clip-play.tsx";

/** Height of the columns' names, as `--clip-head` in the style. */
const HEAD_REM = 1.75;

/**
 * A table of sounds that looks like Live. All rows have one height. Only rows near the view are in the document. The page
 * keeps the selection (`useClipSelection`).
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
                isDraggable={props.onDrag !== undefined}
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

/** Keeps the list's window, its events and its playback. */
function useClipList(props: ClipListProps, scroller: { readonly current: HTMLElement | null }) {
  const { rows, selection, audio } = props;
  const anchor = useRef<string | null>(null);
  const active = rows.findIndex(({ key }) => key === selection.active);
  const view = useRowWindow({
    scroller,
    count: rows.length,
    rowHeight: "--row",
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

interface ClipHeadProps {
  readonly rows: readonly ClipRow[];
  readonly ticks: ClipTicks | undefined;
  readonly hasMixer: boolean;
}

/** Each column's message and class; only screen readers get the names of the `unseen`. */
const COLUMNS = [
  ["clips.color", "clip-color", "unseen"],
  ["clips.name", "clip-name", ""],
  ["clips.kind", "clip-kind", ""],
  ["clips.role", "clip-role", ""],
  ["clips.bpm", "clip-bpm number", ""],
  ["clips.beats", "clip-beats number", ""],
  ["clips.waveform", "clip-waveform", "unseen"],
  ["clips.mixer", "clip-mixer", "unseen"],
  ["clips.playing", "clip-play", "unseen"],
  ["clips.state", "clip-state", ""],
] as const;

/** The columns' names, and a tick box for all rows. */
function ClipHead({ rows, ticks, hasMixer }: ClipHeadProps): VNode {
  return (
    <div role="row" class="clip-head" aria-rowindex={1}>
      {ticks !== undefined && <TickAll rows={rows} ticks={ticks} />}
      {COLUMNS.filter(([name]) => hasMixer || name !== "clips.mixer").map(([name, style, look]) => (
        <span key={name} role="columnheader" class={style}>
          {look === "" ? t(name) : <span class={look}>{t(name)}</span>}
        </span>
      ))}
    </div>
  );
}

/** A box that ticks all rows whose box can be changed, or none; it is indeterminate while only some are ticked. */
function TickAll({ rows, ticks }: { readonly rows: readonly ClipRow[]; ticks: ClipTicks }): VNode {
  const box = useRef<HTMLInputElement>(null);
  const free = rows.filter(({ key }) => !ticks.fixed.has(key)).map(({ key }) => key);
  const count = free.filter((key) => ticks.ticked.has(key)).length;
  const isSome = count > 0 && count < free.length;
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = isSome;
  });
  return (
    <span role="columnheader" class="clip-tick">
      <label>
        <input
          ref={box}
          type="checkbox"
          aria-label={t("clips.tick-all")}
          checked={free.length > 0 && count === free.length}
          disabled={free.length === 0}
          onClick={() => ticks.onTick(free, count < free.length)}
        />
      </label>
    </span>
  );
}
