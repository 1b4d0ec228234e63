import type { VNode } from "preact";
import type { Warning } from "../../../../core/manifest/manifest.ts";
import type { PreviewUsableTrack } from "../../../../core/protocol/preview-api.ts";
import { formatNumber } from "../../../../core/text/format-number.ts";
import type { PlannedPart } from "../playback/plan-playback.ts";
import { usePreview } from "../preview-context.ts";
import { usePicked } from "../use-picked.ts";
import { formatClip } from "../text/format-clip.ts";
import { Remarks } from "./remarks.tsx";
import { ClipWave } from "./clip-wave.tsx";
import { paint } from "./track-head.tsx";

interface ClipCellProps {
  readonly sceneKey: string;
  readonly track: PreviewUsableTrack;
  readonly warnings: readonly Warning[];
  /** How it is played; undefined if it isn't. */
  readonly part: PlannedPart | undefined;
  /** Whether it is heard: not muted, and no other track on solo. */
  readonly isHeard: boolean;
}

/** One clip: its colour, name, waveform, settings and remarks. */
export function ClipCell({ sceneKey, track, warnings, part, isHeard }: ClipCellProps): VNode {
  const { player, transport } = usePreview();
  const failure = usePicked(player, ({ errors }) =>
    transport.view.chosenKey === sceneKey ? errors.get(track.id) : undefined,
  );
  const problem = part?.problem ?? failure;
  const remarks = [...track.notes, ...warnings.map(({ message }) => message)];
  return (
    <td
      class={`clip ${isHeard ? "" : "silent"}`}
      style={{ "--clip": track.color }}
      data-sound={track.id}
    >
      <p class="clip-name" style={paint(track.color)} title={track.clip}>
        <bdi>{track.clip}</bdi>
      </p>
      <ClipWave sceneKey={sceneKey} track={track} />
      <dl class="settings">
        {formatClip(track).map(([name, words]) => (
          <div key={name}>
            <dt class="unseen">{name}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      {part?.isStretched === true && (
        <p class="preview-only">×{formatNumber(part.rate)} in this preview only</p>
      )}
      {part?.timing === "guessed" && (
        <p class="preview-only">at its own speed in this preview, not in sync</p>
      )}
      {problem !== undefined && <p class="remark error">{problem}</p>}
      <Remarks sentences={remarks} />
    </td>
  );
}
