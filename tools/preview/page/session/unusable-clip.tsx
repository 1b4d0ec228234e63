import type { VNode } from "preact";
import type { Warning } from "../../../../core/manifest/manifest.ts";
import type { PreviewUnusableTrack } from "../../../../core/protocol/preview-api.ts";
import { Remarks } from "./remarks.tsx";

interface UnusableClipProps {
  readonly track: PreviewUnusableTrack;
  readonly warnings: readonly Warning[];
}

/** Why a clip can't be made, in its place. */
export function UnusableClip({ track, warnings }: UnusableClipProps): VNode {
  return (
    <td class="clip unusable">
      <p class="clip-name">
        <bdi>{track.clip}</bdi>
      </p>
      <p class="remark error">{track.error}</p>
      <Remarks sentences={warnings.map(({ message }) => message)} />
    </td>
  );
}
