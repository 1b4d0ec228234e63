import type { VNode } from "preact";
import { Dialog } from "../../kit/shell/dialog.tsx";
import { t } from "../../kit/text.tsx";
import { usePage } from "../page-context.ts";
import type { PageView } from "../page-view.ts";
import { AskFirst } from "../parts/ask-first.tsx";
import { focusSoon } from "../parts/focus-soon.ts";
import { CodeForm } from "./code-form.tsx";
import type { PageComputer } from "./page-computer.ts";
import { formatRoute } from "./format-route.ts";

/** Where sounds go: the paired computers, and a way to add another. */
export function Computers({ view }: { readonly view: PageView }): VNode {
  const { pairing, relayUrl } = usePage();
  const { computers, code, notice } = view;
  const known = computers ?? [];
  const isPaired = known.length > 0;
  return (
    <Dialog
      title={isPaired ? t("page.computers") : t("page.pairWithComputer")}
      onClose={() => pairing.close()}
    >
      <div class="pairing">
        {notice !== null && <p class="error">{notice}</p>}
        {isPaired && (
          <ul class="computers" aria-label={t("page.computers")}>
            {known.map((computer, index) => (
              <ComputerRow
                key={computer.pairing.token}
                computer={computer}
                isPicked={index === 0}
              />
            ))}
          </ul>
        )}
        {isPaired && <h3>{t("page.pairAnother")}</h3>}
        <CodeForm code={code} />
        {formatRoute(location.href, relayUrl).map((sentence) => (
          <p key={sentence} class="hint quiet">
            {sentence}
          </p>
        ))}
      </div>
    </Dialog>
  );
}

interface ComputerRowProps {
  readonly computer: PageComputer;
  readonly isPicked: boolean;
}

function ComputerRow({ computer, isPicked }: ComputerRowProps): VNode {
  const { pairing } = usePage();
  const { name } = computer;
  const unpair = async (): Promise<void> => {
    await pairing.unpair(computer);
    focusSoon("pairing-code");
  };
  return (
    <li>
      <label class="choice title">
        <input
          type="radio"
          name="computer"
          checked={isPicked}
          onChange={() => void pairing.pick(computer)}
        />
        <bdi class="name">{name}</bdi>
      </label>
      <AskFirst action="unpair" name={name} act={unpair} />
    </li>
  );
}
