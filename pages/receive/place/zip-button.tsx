import { t } from "../../kit/page-language.ts";
import type { PageAround } from "../../panel/panel-store.ts";
import type { ReceivedZip } from "../importer/receive-state.ts";
import { saveZip } from "./save-zip.ts";

/** A button that saves a package's newest ZIP again, for the packages that have one (rule RC24). */
export function zipButton(zips: readonly ReceivedZip[]): PageAround["packageButton"] {
  const words = t("receive.zip-again");
  return {
    words,
    of: ({ packageId, title }) => {
      const zip = zips.find((one) => one.packageId === packageId);
      return (
        zip !== undefined && (
          <button
            type="button"
            aria-label={t("receive.zip-again-title", { title })}
            onClick={() => saveZip(zip)}
          >
            {words}
          </button>
        )
      );
    },
  };
}
