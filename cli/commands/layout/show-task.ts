import { formatLayout } from "../../../core/layout/format-layout.ts";
import { layoutJson } from "../../../core/layout/layout-json.ts";
import { type LibraryTask, reportBroken } from "../../layout/run-library.ts";

const LAID_OUT = "laid out";
const LAID_OUT_WITH_GAPS = "with sounds that can't be used";

/** `layout`: shows every layout. */
export const SHOW: LibraryTask = {
  verdicts: [LAID_OUT, LAID_OUT_WITH_GAPS],
  report: ({ layout }) => ({
    json: layoutJson(layout),
    text: formatLayout(layout),
    verdict: layout.tracks.some((track) => "error" in track) ? LAID_OUT_WITH_GAPS : LAID_OUT,
    isGood: true,
  }),
  reportBroken,
};
