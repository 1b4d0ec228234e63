import type { VNode } from "preact";
import { memo } from "../rows/memo.ts";
import { t } from "../text.tsx";
import { clipName, spokenClip } from "./clip-facts.ts";
import { ColorCell, FactCells, StateCell } from "./clip-cells.tsx";
import type { ClipMixer, ClipTicks } from "./clip-list-props.ts";
import { ClipPlay } from "./clip-play.tsx";
import type { ClipAudio, ClipRow, ClipState } from "./clip-row.ts";
import { ClipWave } from "./clip-wave.tsx";
import { MixerButtons } from "./mixer-buttons.tsx";

interface ClipRowViewProps {
  readonly audio: ClipAudio;
  readonly ticks: ClipTicks | undefined;
  readonly mixer: ClipMixer | undefined;
  readonly row: ClipRow;
  readonly index: number;
  readonly topPixels: number;
  readonly isSelected: boolean;
  /** Whether Tab reaches it. */
  readonly isStop: boolean;
  /** Shown in place of its own state, such as why it didn't play. */
  readonly state: ClipState | null;
  readonly onPlay: (key: string) => void;
  readonly onTick: (key: string, isOn: boolean, isRange: boolean) => void;
}

/** One row of a clip list, rendered again only when it changes. Events of the row itself are the list's. */
export const ClipRowView = memo(RowView);

function RowView(props: ClipRowViewProps): VNode {
  const { row, index, audio, ticks, mixer, isSelected, state, onPlay, onTick } = props;
  const name = clipName(t, row, index);
  return (
    <div
      role="row"
      class={`clip-row ${isSelected ? "selected" : ""}`}
      style={{ top: `${props.topPixels}px` }}
      data-key={row.key}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-label={spokenClip(t, { ...row, state }, index)}
      tabIndex={props.isStop ? 0 : -1}
    >
      {ticks !== undefined && (
        <span role="gridcell" class="clip-tick">
          <label>
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={t("clips.tick", { name })}
              checked={ticks.ticked.has(row.key)}
              disabled={ticks.fixed.has(row.key)}
              onClick={(event) => onTick(row.key, event.currentTarget.checked, event.shiftKey)}
            />
          </label>
        </span>
      )}
      <ColorCell color={row.color} />
      <span role="gridcell" class="clip-name">
        <bdi class={row.name === "" ? "quiet" : ""}>{name}</bdi>
      </span>
      <FactCells row={row} />
      <span role="gridcell" class="clip-waveform">
        <ClipWave clipKey={row.key} audio={audio} />
      </span>
      {mixer !== undefined && (
        <span role="gridcell" class="clip-mixer">
          <MixerButtons mixer={mixer} clipKey={row.key} name={name} isInRow />
        </span>
      )}
      <span role="gridcell" class="clip-play">
        <ClipPlay
          clipKey={row.key}
          name={name}
          audio={audio}
          silentBecause={row.silentBecause}
          onPlay={onPlay}
          isInRow
        />
      </span>
      <StateCell state={state} />
    </div>
  );
}
