import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../text.tsx";
import type { ClipTicks } from "./clip-list-props.ts";
import type { ClipRow } from "./clip-row.ts";

interface ClipHeadProps {
  readonly rows: readonly ClipRow[];
  readonly ticks: ClipTicks | undefined;
  readonly hasMixer: boolean;
}

/** The columns' names, and a tick box for all rows. */
export function ClipHead({ rows, ticks, hasMixer }: ClipHeadProps): VNode {
  return (
    <div role="row" class="clip-head" aria-rowindex={1}>
      {ticks !== undefined && <TickAll rows={rows} ticks={ticks} />}
      <span role="columnheader" class="clip-color">
        <span class="unseen">{t("clips.color")}</span>
      </span>
      <span role="columnheader" class="clip-name">
        {t("clips.name")}
      </span>
      <span role="columnheader" class="clip-kind">
        {t("clips.kind")}
      </span>
      <span role="columnheader" class="clip-role">
        {t("clips.role")}
      </span>
      <span role="columnheader" class="clip-bpm number">
        {t("clips.bpm")}
      </span>
      <span role="columnheader" class="clip-beats number">
        {t("clips.beats")}
      </span>
      <span role="columnheader" class="clip-waveform">
        <span class="unseen">{t("clips.waveform")}</span>
      </span>
      {hasMixer && (
        <span role="columnheader" class="clip-mixer">
          <span class="unseen">{t("clips.mixer")}</span>
        </span>
      )}
      <span role="columnheader" class="clip-play">
        <span class="unseen">{t("clips.playing")}</span>
      </span>
      <span role="columnheader" class="clip-state">
        {t("clips.state")}
      </span>
    </div>
  );
}

/** Ticks all rows whose box can be changed, or none; between the two it is neither. */
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
