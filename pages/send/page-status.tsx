import type { VNode } from "preact";
import type { ClipState } from "../kit/clip-list/clip-row.ts";
import { StatusLine } from "../kit/shell/status-line.tsx";
import { t } from "../kit/text.tsx";
import { usePage } from "./page-context.ts";
import type { PageView } from "./page-view.ts";

/** What just went wrong, or what is going on; and the files that can't be sent. */
export function PageStatus({ view }: { readonly view: PageView }): VNode {
  const { sounds } = usePage();
  const { tone, text } = statusOf(view);
  const { length } = view.refused;
  return (
    <StatusLine tone={tone} text={text}>
      {length > 0 && (
        <button type="button" id="refused" onClick={() => sounds.listRefused(true)}>
          {t("page.notAdded", { count: length })}
        </button>
      )}
    </StatusLine>
  );
}

interface Status {
  readonly tone: ClipState["tone"];
  readonly text: string;
}

/** The most urgent first. */
function statusOf(view: PageView): Status {
  const { sendError, sending, notice, recordError, keepTrouble, reading } = view;
  if (sendError !== null) return { tone: "bad", text: sendError };
  if (sending?.trouble) return { tone: "bad", text: sending.trouble };
  if (notice !== null) return { tone: "bad", text: notice };
  if (recordError !== null) return { tone: "bad", text: recordError };
  if (view.recording?.seconds === null) {
    return { tone: "busy", text: t("page.allowMicrophone") };
  }
  if (reading > 0) return { tone: "busy", text: t("page.reading", { count: reading }) };
  if (keepTrouble !== null) return { tone: "mixed", text: keepTrouble };
  return { tone: "quiet", text: "" };
}
