import type { VNode } from "preact";
import type { Warning } from "../../../../core/manifest/manifest.ts";
import type { PreviewUnusableTrack } from "../../../../core/protocol/preview-api.ts";

interface UnusableClipProps {
  readonly track: PreviewUnusableTrack;
  readonly warnings: readonly Warning[];
}

/** Why there will be no such clip, in its place. */
export function UnusableClip({ track, warnings }: UnusableClipProps): VNode {
  return (
    <td class="clip unusable">
      <p class="clip-name">
        <bdi>{track.clip}</bdi>
      </p>
      <p class="remark error">{track.error}</p>
      {warnings.map(({ message }) => (
        <p key={message} class="remark">
          {message}
        </p>
      ))}
    </td>
  );
}
