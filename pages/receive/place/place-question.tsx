import type { VNode } from "preact";
import { t } from "../../kit/page-language.ts";
import { Dialog } from "../../kit/shell/dialog.tsx";
import type { ReceiveState } from "../importer/receive-state.ts";
import type { ReceiveImporter } from "../receive-importer.ts";
import { PlaceButtons } from "./place-buttons.tsx";

interface PlaceQuestionProps {
  readonly importer: ReceiveImporter;
  readonly view: ReceiveState;
  readonly onEnd: (isChosen: boolean) => void;
}

/** Asks where imports go, with the first one (rule RC23). */
export function PlaceQuestion({ importer, view, onEnd }: PlaceQuestionProps): VNode {
  return (
    <Dialog title={t("receive.where-title")} onClose={() => onEnd(false)}>
      <div class="place">
        <p>{t("receive.where-what")}</p>
        <PlaceButtons importer={importer} view={view} isAsked onChosen={() => onEnd(true)} />
        <p class="quiet">{t("receive.where-once")}</p>
      </div>
    </Dialog>
  );
}
