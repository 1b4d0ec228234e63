import type { PanelRunError } from "../../../core/protocol/panel-api.ts";
import { t } from "../../kit/page-language.ts";

/** Says why a run failed: in the page's language where its code tells, else in the importer's own sentence. */
export function formatRunError({ code, error }: PanelRunError): string {
  return code === "CONNECTION_LOST" ? t("panel.result-connection-lost") : error;
}
