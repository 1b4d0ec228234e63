import type { VNode } from "preact";
import { AskFirst } from "../parts/ask-first.tsx";
import { focusSoon } from "../parts/focus-soon.ts";
import { usePage } from "../page-context.ts";
import type { PageView } from "../page-view.ts";
import { CodeForm } from "./code-form.tsx";
import type { PageComputer } from "./page-computer.ts";
import { formatRoute } from "./format-route.ts";

/** Where sounds go: the paired computers, and a way to add another. */
export function Computers({ view }: { readonly view: PageView }): VNode {
  const { pairing, relayUrl } = usePage();
  const { computers, code } = view;
  const isPaired = computers !== null && computers.length > 0;
  return (
    <section class="card" aria-labelledby="computers">
      <div class="head">
        <h2 id="computers" tabIndex={-1}>
          {isPaired ? "Send to" : "Pair with a computer"}
        </h2>
        {isPaired && code === null && (
          <button type="button" class="plain" id="pair-another" onClick={() => pairing.ask("")}>
            Pair another computer
          </button>
        )}
      </div>
      {view.notice !== null && <p class="notice">{view.notice}</p>}
      {isPaired && (
        <ul class="computers">
          {computers.map((computer, index) => (
            <ComputerRow
              key={computer.pairing.token}
              computer={computer}
              isPicked={index === 0}
              isAlone={computers.length === 1}
            />
          ))}
        </ul>
      )}
      {code !== null && <CodeForm code={code} canStop={isPaired} />}
      {formatRoute(location.href, relayUrl).map((sentence) => (
        <p key={sentence} class="hint quiet">
          {sentence}
        </p>
      ))}
    </section>
  );
}

interface ComputerRowProps {
  readonly computer: PageComputer;
  readonly isPicked: boolean;
  readonly isAlone: boolean;
}

function ComputerRow({ computer, isPicked, isAlone }: ComputerRowProps): VNode {
  const { pairing } = usePage();
  const { name } = computer;
  const unpair = async (): Promise<void> => {
    await pairing.unpair(computer);
    focusSoon("computers");
  };
  return (
    <li>
      {isAlone ? (
        <bdi class="name title">{name}</bdi>
      ) : (
        <label class="choice title">
          <input
            type="radio"
            name="computer"
            checked={isPicked}
            onChange={() => void pairing.pick(computer)}
          />
          <bdi class="name">{name}</bdi>
        </label>
      )}
      <AskFirst verb="Unpair" thing={name} refuse="Keep" act={unpair} />
    </li>
  );
}
