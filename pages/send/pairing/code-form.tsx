import type { RefObject, VNode } from "preact";
import { useId, useRef } from "preact/hooks";
import { PAIRING_CODE_SECONDS } from "../../../core/limits.ts";
import { parsePairingCode } from "../../../core/protocol/pairing-code.ts";
import { t } from "../../kit/text.tsx";
import { useIsSlow } from "../../kit/use-is-slow.ts";
import { useAction } from "../../kit/use-action.ts";
import { usePage } from "../page-context.ts";
import { explain } from "../parts/explain.ts";
import { focusSoon } from "../parts/focus-soon.ts";

const SLOW_MS = 3000;

/** Asks for the code that the computer shows. */
export function CodeForm({ code }: { readonly code: string }): VNode {
  const { pairing } = usePage();
  const field = useRef<HTMLInputElement>(null);
  const { pair, isBusy, error } = usePair(code, field);
  // Then the relay waits for a yes (rule P12).
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
          maxLength={20}
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
      throw new Error(explain(failure), { cause: failure });
    }
  };
  return { pair: () => begin(act), isBusy, error };
}
