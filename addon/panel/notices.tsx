import type { VNode } from "preact";
import { LOAD_FROM_IMPORTER } from "../../core/protocol/panel-api.ts";
import { closeDialog } from "./live-dialog.ts";
import { usePanel } from "./panel-context.ts";
import type { PanelView } from "./panel-store.ts";
import { noticesOf } from "./text/list-notices.ts";

/** Problems that concern the whole page, at its top. */
export function Notices({ view }: { readonly view: PanelView }): VNode | null {
  const { store } = usePanel();
  const { link, state } = view;
  const notices = noticesOf(link, state, store.isDialog);
  if (notices.length === 0) return null;
  return (
    <div class="notices" role="alert">
      {notices.map((notice) => (
        <p key={notice} class="notice">
          {notice}
        </p>
      ))}
      {link === "lost" && location.protocol === "data:" && (
        // Some web views block a `data:` page's calls to this computer, but not a page from there.
        <p class="notice">
          <button type="button" onClick={() => closeDialog(LOAD_FROM_IMPORTER)}>
            Load the panel from the importer
          </button>
        </p>
      )}
    </div>
  );
}
