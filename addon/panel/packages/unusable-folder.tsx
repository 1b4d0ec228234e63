import type { VNode } from "preact";
import type { PanelUnusablePackage } from "../../../core/protocol/panel-api.ts";

/** An inbox folder that can't be imported, with the reason. */
export function UnusableFolder({ folder }: { readonly folder: PanelUnusablePackage }): VNode {
  return (
    <article class="card">
      <h3>
        <bdi>{folder.title}</bdi>
      </h3>
      <p class="quiet">Inbox folder</p>
      <p class="error">{folder.error}</p>
    </article>
  );
}
