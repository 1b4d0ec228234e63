import type { VNode } from "preact";
import { Refused, useAction } from "../kit/action.tsx";
import { t } from "../kit/page-language.ts";
import { CalmPage } from "./calm-page.tsx";
import type { ReceiveImporter } from "./receive-importer.ts";

/** Says that another tab receives, and takes over from it (rule RC26). */
export function Elsewhere({ importer }: { readonly importer: ReceiveImporter }): VNode {
  const { begin, isBusy, error } = useAction();
  return (
    <CalmPage title={t("receive.elsewhere-title")}>
      <p>{t("receive.elsewhere")}</p>
      <button
        type="button"
        class="primary"
        aria-disabled={isBusy}
        onClick={() => begin(() => importer.takeOver())}
      >
        {t("receive.here")}
      </button>
      <Refused error={error} />
    </CalmPage>
  );
}
