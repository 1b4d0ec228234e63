import { type VNode, Component, type ComponentChild, type FunctionComponent, h } from "preact";
import { t, formatNumber } from "../page-language.ts";
import { clipName, spokenClip, kindName } from "./clip-facts.ts";
import type { ClipMixer, ClipTicks, ClipAudio, ClipRow, ClipState } from "./clip-row.ts";
import { ClipPlay } from "./clip-play.tsx";
import { ClipWave } from "./clip-wave.tsx";
import { formatRole } from "../../../core/text/format-role.ts";
import { colorName } from "./colors.ts";

interface ClipRowViewProps {
  readonly audio: ClipAudio;
  readonly ticks: ClipTicks | undefined;
  readonly mixer: ClipMixer | undefined;
  readonly row: ClipRow;
  readonly index: number;
  readonly topPixels: number;
  readonly isSelected: boolean;
  readonly isDraggable: boolean;
  /** True if Tab reaches the row. */
  readonly isStop: boolean;
  /** The row's own state, or why it didn't play. */
  readonly state: ClipState | null;
  readonly onPlay: (key: string) => void;
  readonly onTick: (key: string, isOn: boolean, isRange: boolean) => void;
}

/** One row of a clip list, rendered again only when it changes. The list handles the events of the row itself. */
export const ClipRowView = memo(RowView);

function RowView(props: ClipRowViewProps): VNode {
  const { row, index, audio, ticks, mixer, isSelected, state, onPlay, onTick } = props;
  const name = clipName(t, row, index);
  return (
    <div
      role="row"
      class={`clip-row ${isSelected ? "selected" : ""} ${row.isGrouped === true ? "grouped" : ""}`}
      style={{ top: `${props.topPixels}px` }}
      data-key={row.key}
      draggable={props.isDraggable}
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
          <MixerButtons mixer={mixer} clipKey={row.key} name={name} />
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

/** Kind, role, tempo and beats of a row, each in its column. */
function FactCells({ row }: { readonly row: ClipRow }): VNode {
  const { kind, role, tempoBpm, lengthBeats } = row;
  return (
    <>
      <span role="gridcell" class={`clip-kind ${kind === null ? "asks" : ""}`}>
        {kind === null ? t("clips.undecided-short") : kindName(t, kind)}
      </span>
      <span role="gridcell" class="clip-role">
        {role === null ? "" : formatRole(t, role)}
      </span>
      <span role="gridcell" class="clip-bpm number">
        {tempoBpm === null ? "" : formatNumber(tempoBpm)}
      </span>
      <span role="gridcell" class="clip-beats number">
        {lengthBeats === null ? "" : formatNumber(lengthBeats)}
      </span>
    </>
  );
}

/** A color as a small field; hatched if it is automatic. */
function ColorCell({ color }: { readonly color: string | null }): VNode {
  const name = colorName(t, color);
  return (
    <span role="gridcell" class="clip-color" title={name}>
      <span
        class={`clip-swatch ${color === null ? "automatic" : ""}`}
        {...(color === null ? {} : { style: { background: color } })}
      />
      <span class="unseen">{name}</span>
    </span>
  );
}

/** A row's state in its reserved place: its text in its tone, and a bar while it progresses. */
function StateCell({ state }: { readonly state: ClipState | null }): VNode {
  return (
    <span role="gridcell" class="clip-state" title={state?.because ?? state?.words}>
      {state !== null && (
        <>
          <span class={`tone ${state.tone}`}>{state.words}</span>
          {state.progress !== undefined && (
            <span class="clip-progress" aria-hidden="true">
              <span style={{ inlineSize: `${Math.min(1, Math.max(0, state.progress)) * 100}%` }} />
            </span>
          )}
        </>
      )}
    </span>
  );
}

interface MixerButtonsProps {
  readonly mixer: ClipMixer;
  readonly clipKey: string;
  /** The sound's name, for screen readers. */
  readonly name: string;
}

/** Mute and solo of one sound. Tab doesn't reach them, the arrow keys do. */
function MixerButtons({ mixer, clipKey, name }: MixerButtonsProps): VNode {
  const isMuted = mixer.muted.has(clipKey);
  const isSoloed = mixer.soloed.has(clipKey);
  return (
    <>
      <button
        type="button"
        class={`icon mute ${isMuted ? "on" : ""}`}
        tabIndex={-1}
        aria-label={t("clips.mute", { name })}
        aria-pressed={isMuted}
        onClick={() => mixer.onMute(clipKey, !isMuted)}
      >
        M
      </button>
      <button
        type="button"
        class={`icon solo ${isSoloed ? "on" : ""}`}
        tabIndex={-1}
        aria-label={t("clips.solo", { name })}
        aria-pressed={isSoloed}
        onClick={() => mixer.onSolo(clipKey, !isSoloed)}
      >
        S
      </button>
    </>
  );
}

/** Makes a component that renders again only when one of its properties changes. */
function memo<Props extends object>(
  View: FunctionComponent<Props>,
): new (props: Props) => Component<Props> {
  return class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const before = Object.entries(this.props);
      return (
        before.length !== Object.keys(next).length ||
        before.some(([name, value]) => !Object.is(value, Reflect.get(next, name)))
      );
    }

    override render(): ComponentChild {
      return h(View, this.props);
    }
  };
}
