import type { VNode } from "preact";
import { MAX_SESSION_SOUNDS as MAX_SOUNDS } from "../../../client/send/session/session-packing.ts";
import { Dialog } from "../../kit/shell/dialog.tsx";
import { t } from "../../kit/page-language.ts";
import { usePage } from "../page-context.ts";
import { focusSoon } from "../parts.tsx";
import type { RefusedSound } from "../../../client/send/session/session-view.ts";

/** The files that can't be sent, with the reasons, until they are removed or the package is sent (rule G4). */
export function RefusedFiles({ files }: { readonly files: readonly RefusedSound[] }): VNode {
  const { sounds, actions } = usePage();
  const tooMany = files.filter(({ sentence }) => sentence === null);
  const close = (): void => actions.listRefused(false);
  const remove = (removed: readonly RefusedSound[]): void => {
    sounds.remove(removed.map(({ key }) => key));
    if (removed.length < files.length) return;
    close();
    focusSoon("add-sounds");
  };
  return (
    <Dialog
      title={t("page.notAdded", { count: files.length })}
      onClose={close}
      actions={
        <button type="button" onClick={() => remove(files)}>
          {t("page.dismiss")}
        </button>
      }
    >
      <ul class="refused" data-then="add-sounds">
        {files.map(
          (file) =>
            file.sentence !== null && (
              <RefusedFile
                key={file.key}
                words={file.sentence}
                name={file.name}
                onRemove={() => remove([file])}
              />
            ),
        )}
        {tooMany.length > 0 && (
          <RefusedFile
            words={formatTooMany(tooMany)}
            name={tooMany[0]?.name ?? ""}
            onRemove={() => remove(tooMany)}
          />
        )}
      </ul>
    </Dialog>
  );
}

interface RefusedFileProps {
  readonly words: string;
  readonly name: string;
  readonly onRemove: () => void;
}

function RefusedFile({ words, name, onRemove }: RefusedFileProps): VNode {
  return (
    <li>
      <span>{words}</span>
      <button
        type="button"
        class="icon"
        aria-label={t("send.removeSound", { name })}
        onClick={onRemove}
      >
        <svg viewBox="0 0 12 12" aria-hidden="true">
          <path class="stroke" d="m2 2 8 8m0-8-8 8" />
        </svg>
      </button>
    </li>
  );
}

/** Formats one sentence for all of them, because a folder may hold hundreds. */
function formatTooMany([first, ...others]: readonly RefusedSound[]): string {
  const file = first?.name ?? "";
  return others.length === 0
    ? t("page.oneTooMany", { file, max: MAX_SOUNDS })
    : t("page.tooMany", { file, count: others.length, max: MAX_SOUNDS });
}
