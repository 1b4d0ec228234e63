import type { VNode } from "preact";
import { t, Text } from "../kit/text.tsx";
import { usePage } from "./page-context.ts";
import type { PageView } from "./page-view.ts";

/** The page's name, and the computer that sounds go to. */
export function Header({ view }: { readonly view: PageView }): VNode {
  const { pairing } = usePage();
  const computer = view.computers?.[0];
  return (
    <div class="page-header">
      <h1>Soundferry</h1>
      <p class="quiet tagline">{t("page.tagline")}</p>
      {view.computers !== null && (
        <button type="button" id="computers" onClick={() => pairing.ask(view.code)}>
          {computer === undefined ? (
            t("page.pairWithComputer")
          ) : (
            <Text of="page.sendsTo" params={{ computer: <bdi>{computer.name}</bdi> }} />
          )}
        </button>
      )}
    </div>
  );
}
