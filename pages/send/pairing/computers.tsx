import type { VNode, RefObject } from "preact";
import { useId, useRef, useEffect, useState } from "preact/hooks";
import { Dialog } from "../../kit/shell/dialog.tsx";
import { t } from "../../kit/page-language.ts";
import { usePage } from "../page-context.ts";
import type { PageView, PageComputer } from "../page-view.ts";
import { AskFirst, focusSoon } from "../parts.tsx";
import { formatRoute } from "./format-route.ts";
import { PAIRING_CODE_SECONDS } from "../../../core/limits.ts";
import { parsePairingCode } from "../../../core/protocol/pairing-code.ts";
import { useAction } from "../../kit/action.tsx";
import { explainIn } from "../../../client/send/words/explain.ts";

/** The paired computers, and a form to add another. */
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

const SLOW_MS = 3000;

/** Asks for the code that the computer shows. */
function CodeForm({ code }: { readonly code: string }): VNode {
  const { pairing } = usePage();
  const field = useRef<HTMLInputElement>(null);
  const { pair, isBusy, error } = usePair(code, field);
  // The relay then waits for a person's consent (rule P12).
  const isSlow = useIsSlow(isBusy, SLOW_MS);
  const [errorId, hintId] = [useId(), useId()];
  const submit = (event: Event): void => {
    event.preventDefault();
    pair();
  };
  return (
    <form class="code-form" onSubmit={submit}>
      <label for="pairing-code">{t("page.pairingCode")}</label>
      <div class="field">
        <input
          id="pairing-code"
          ref={field}
          class="code"
          autofocus
          value={code}
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          placeholder="K7M Q2X"
          aria-describedby={`${errorId} ${hintId}`}
          aria-invalid={error !== null}
          onInput={(event) => pairing.ask(event.currentTarget.value)}
        />
        <button type="submit" class="primary" aria-disabled={isBusy}>
          {t("page.pair")}
        </button>
      </div>
      <p id={errorId} class="error" role="alert">
        {error}
      </p>
      <p id={hintId} class="hint quiet" role="status">
        {isSlow
          ? t("page.allowInPanel")
          : t("page.whereIsCode", { minutes: PAIRING_CODE_SECONDS / 60 })}
      </p>
    </form>
  );
}

/** Pairs with the code. If it is refused, the focus stays in its field. */
function usePair(code: string, field: RefObject<HTMLInputElement | null>) {
  const { pairing } = usePage();
  const { begin, isBusy, error } = useAction();
  const act = async (): Promise<void> => {
    try {
      if (parsePairingCode(code) === undefined) throw new Error(t("page.codeWrong"));
      await pairing.pair(code);
      focusSoon("add-sounds");
    } catch (failure) {
      field.current?.focus();
      throw new Error(explainIn(t, failure), { cause: failure });
    }
  };
  return { pair: () => begin(act), isBusy, error };
}

/** Checks whether something has been busy for at least a time. */
function useIsSlow(isBusy: boolean, afterMs: number): boolean {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    setIsSlow(false);
    if (!isBusy) return undefined;
    const timer = setTimeout(() => setIsSlow(true), afterMs);
    return () => clearTimeout(timer);
  }, [isBusy, afterMs]);
  return isSlow;
}
