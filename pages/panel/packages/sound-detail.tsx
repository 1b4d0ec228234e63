import type { VNode } from "preact";
import { formatDifference } from "../../../core/text/format-setting.ts";
import type { PanelPlan } from "../../../core/protocol/panel-api.ts";
import type { ClipAudio, ClipRow, ClipSelection } from "../../kit/clip-list/clip-row.ts";
import { PlayableWave } from "../../kit/clip-list/clip-play.tsx";
import { t } from "../../kit/page-language.ts";
import { usePanel } from "../panel-store.ts";
import { formatSound } from "../text/format-sound.ts";
import { clipKeyOf } from "./package-audio.ts";
import { soundDragOf } from "./sound-drag.ts";
import { type PickRow, usableOf, soundResultsOf } from "./pick-row.ts";

interface SoundDetailProps {
  readonly row: PickRow;
  readonly plan: PanelPlan | null;
  readonly selection: ClipSelection;
  readonly clips: readonly ClipRow[];
  readonly audio: ClipAudio;
}

/** The active sound: its track, its problems, and the settings that the host handled differently (rule N8). */
export function SoundDetail(props: SoundDetailProps): VNode {
  const { store } = usePanel();
  const found = findSound(props);
  if (found === null) return <p class="sound-detail quiet">{t("panel.pick-sound")}</p>;
  const { sound, track, result } = found;
  const index = props.clips.findIndex(({ key }) => key === props.selection.active);
  const clip = props.clips[index];
  const planned = track === undefined || "error" in track ? [] : track.notes;
  return (
    <div class="sound-detail">
      {sound !== undefined && <p class="facts">{formatSound(sound, track).map(Fact)}</p>}
      {clip !== undefined && (
        <PlayableWave key={clip.key} row={clip} index={index} audio={props.audio} />
      )}
      {sound !== undefined && "onDrag" in soundDragOf(store, props.row) && (
        <p class="quiet">{t("panel.drag-sound")}</p>
      )}
      {track !== undefined && "error" in track && <p class="error">{track.error}</p>}
      {typeof result?.error === "string" && (
        <p class={result.status === "failed" ? "error" : "quiet"}>{result.error}</p>
      )}
      {result?.differences.map((difference) => (
        <p key={difference.setting} class="difference">
          {formatDifference(t, difference)}
        </p>
      ))}
      {[...new Set([...(result?.notes ?? []), ...planned])].map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
    </div>
  );
}

/** Returns the active sound's name; empty without one. */
export function activeSoundName(props: SoundDetailProps): string {
  const found = findSound(props);
  return found?.sound?.name ?? found?.result?.name ?? "";
}

function Fact(words: string): VNode {
  return <span key={words}>{words}</span>;
}

function findSound({ row, plan, selection }: SoundDetailProps) {
  const isActive = ({ id }: { readonly id: string }): boolean =>
    clipKeyOf(row, id) === selection.active;
  const sound = usableOf(row)?.sounds.find(isActive);
  const result = soundResultsOf(row).find(isActive);
  if (sound === undefined && result === undefined) return null;
  return { sound, result, track: plan?.tracks.find(isActive) };
}
