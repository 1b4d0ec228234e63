import type { VNode } from "preact";
import { Refused, useAction } from "../../kit/action.tsx";
import { t } from "../../kit/page-language.ts";
import type { ReceiveState } from "../importer/receive-state.ts";
import type { ReceiveImporter } from "../receive-importer.ts";
import { pickFolder } from "./pick-folder.ts";

interface PlaceButtonsProps {
  readonly importer: ReceiveImporter;
  readonly view: ReceiveState;
  /** Set where they are the page's question, not a setting. */
  readonly isAsked?: boolean;
  readonly onChosen?: () => void;
}

/** Buttons that choose where imports go: a folder, where the browser can write into one, or ZIPs. */
export function PlaceButtons(props: PlaceButtonsProps): VNode {
  const { importer, view, isAsked = false, onChosen = () => undefined } = props;
  const { canPickFolder } = view;
  const { begin, isBusy, error } = useAction();
  const chooseFolder = async (): Promise<void> => {
    const folder = await pickFolder();
    if (folder === null) return;
    await importer.useFolder(folder);
    onChosen();
  };
  return (
    <>
      <p class="quiet hint">{t(canPickFolder ? "receive.folder-tip" : "receive.no-folders")}</p>
      <div class="buttons">
        {canPickFolder && (
          <button
            type="button"
            class={isAsked ? "primary" : ""}
            aria-disabled={isBusy}
            onClick={() => begin(chooseFolder)}
          >
            {t("receive.choose-folder")}
          </button>
        )}
        <button
          type="button"
          class={isAsked && !canPickFolder ? "primary" : ""}
          aria-disabled={isBusy}
          onClick={() => begin(() => importer.useZip(), onChosen)}
        >
          {t("receive.save-zip")}
        </button>
      </div>
      <Refused error={error} />
    </>
  );
}
