import type { VNode } from "preact";
import type { PanelKeptFiles } from "../../../core/protocol/panel-api.ts";
import { usePanel } from "../panel-context.ts";
import { Refused } from "../../../web/refused.tsx";
import { useAction } from "../../../web/use-action.ts";
import { formatBytes } from "../../../core/page/format-bytes.ts";

/** The sounds folder's size, and a button to clear what no session plays (rule F6). */
export function KeptFiles({ keptFiles }: { readonly keptFiles: PanelKeptFiles }): VNode {
  const { store } = usePanel();
  const { begin, isBusy, error } = useAction();
  const { bytes, clearableBytes } = keptFiles;
  return (
    <div class="kept" id="kept" tabIndex={-1}>
      <p>
        Sounds folder: {bytes === 0 ? "empty" : formatBytes(bytes)}
        {clearableBytes > 0 && (
          <span class="quiet">, including {formatBytes(clearableBytes)} from failed imports</span>
        )}
      </p>
      {clearableBytes > 0 && (
        <button
          type="button"
          aria-disabled={isBusy}
          onClick={() => begin(() => store.calls.clearKeptFiles())}
        >
          Clear {formatBytes(clearableBytes)}
        </button>
      )}
      <Refused error={error} />
    </div>
  );
}
