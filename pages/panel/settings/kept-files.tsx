import type { VNode } from "preact";
import type { PanelKeptFiles } from "../../../core/protocol/panel-api.ts";
import { usePanel } from "../panel-context.ts";
import { Refused } from "../../kit/refused.tsx";
import { t } from "../../kit/text.tsx";
import { useAction } from "../../kit/use-action.ts";
import { formatBytes } from "../../../core/text/format-number.ts";

/** The sounds folder's size, and a button to clear what no session plays (rule F6). */
export function KeptFiles({ keptFiles }: { readonly keptFiles: PanelKeptFiles }): VNode {
  const { store } = usePanel();
  const { begin, isBusy, error } = useAction();
  const { clearableBytes } = keptFiles;
  return (
    <div class="kept" id="kept" tabIndex={-1}>
      <p>{wordsOf(keptFiles)}</p>
      {clearableBytes > 0 && (
        <button
          type="button"
          aria-disabled={isBusy}
          onClick={() => begin(() => store.calls.clearKeptFiles())}
        >
          {t("panel.clear", { size: formatBytes(t, clearableBytes) })}
        </button>
      )}
      <Refused error={error} />
    </div>
  );
}

function wordsOf({ bytes, clearableBytes }: PanelKeptFiles): string {
  if (bytes === 0) return t("panel.sounds-folder-empty");
  const size = formatBytes(t, bytes);
  return clearableBytes > 0
    ? t("panel.sounds-folder-failed", { size, clearable: formatBytes(t, clearableBytes) })
    : t("panel.sounds-folder", { size });
}
