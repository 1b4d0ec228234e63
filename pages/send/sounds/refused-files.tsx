import type { VNode } from "preact";
import { MAX_SOUNDS } from "../../../core/limits.ts";
import { Dialog } from "../../kit/shell/dialog.tsx";
import { t } from "../../kit/page-language.ts";
import { usePage } from "../page-context.ts";
import { focusSoon } from "../parts.tsx";
import type { RefusedSound } from "../../../client/send/session/session-view.ts";

/** The files that can't be sent, with the reasons, which are known before anything is sent. */
export function RefusedFiles({ files }: { readonly files: readonly RefusedSound[] }): VNode {
  const { sounds, actions } = usePage();
  const tooMany = files.filter(({ sentence }) => sentence === null);
  const clear = (): void => {
    sounds.clearRefused();
    actions.listRefused(false);
    focusSoon("add-sounds");
  };
  return (
    <Dialog
      title={t("page.notAdded", { count: files.length })}
      onClose={() => actions.listRefused(false)}
      actions={
        <button type="button" onClick={clear}>
          {t("page.dismiss")}
        </button>
      }
    >
      <ul class="refused">
        {files
          .filter(({ sentence }) => sentence !== null)
          .map(({ key, sentence }) => (
            <li key={key}>{sentence}</li>
          ))}
        {tooMany.length > 0 && <li>{formatTooMany(tooMany)}</li>}
      </ul>
    </Dialog>
  );
}

/** Formats one sentence for all of them, because a folder may hold hundreds. */
function formatTooMany([first, ...others]: readonly RefusedSound[]): string {
  const file = first?.name ?? "";
  return others.length === 0
    ? t("page.oneTooMany", { file, max: MAX_SOUNDS })
    : t("page.tooMany", { file, count: others.length, max: MAX_SOUNDS });
}
