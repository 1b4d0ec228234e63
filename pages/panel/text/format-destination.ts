import { formatHost } from "../../../core/text/format-host.ts";
import type { PanelHost } from "../../../core/protocol/panel-api.ts";
import { t } from "../../kit/page-language.ts";

/** Where imports go now (rule N9), such as `Imports into Live 12.1.5 Standard`. */
export function formatDestination({ name, label, trouble }: PanelHost): string {
  return trouble === null
    ? t("panel.imports-into", { host: label })
    : t("panel.waits-for", { host: formatHost(t, name) });
}
