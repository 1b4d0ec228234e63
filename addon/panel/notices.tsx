import type { VNode } from "preact";
import { usePanel } from "./panel-context.ts";
import type { PanelView } from "./panel-store.ts";
import { noticesOf } from "./text/list-notices.ts";

/** What is wrong as a whole, above everything else. */
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
        // Some web views keep a page of Live's dialog from calling this computer, but not from going there.
        <p class="notice">
          <a href={store.ownAddress}>Reload the panel</a>
        </p>
      )}
    </div>
  );
}
