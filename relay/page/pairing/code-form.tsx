import type { RefObject, VNode } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { RELAY_DEFAULTS } from "../../../core/limits.ts";
import { inLiveMenu, LIVE_MENU } from "../../../core/live-menu.ts";
import { parsePairingCode } from "../../../core/protocol/pairing-code.ts";
import { formatLimitSpan } from "../../../core/text/format-limit.ts";
import { usePage } from "../page-context.ts";
import { focusSoon } from "../parts/focus-soon.ts";
import { useAction } from "../../../web/use-action.ts";

const HINT =
  `You’ll find it in Live: right-click a scene → ${inLiveMenu(LIVE_MENU.choose)} ` +
  `It expires after ${formatLimitSpan(RELAY_DEFAULTS.pairingCodeTtlSeconds)}.`;

interface CodeFormProps {
  /** The content of the field. */
  readonly code: string;
  /** Whether there is something to go back to. */
  readonly canStop: boolean;
}

/** Asks for the code that the computer shows. */
export function CodeForm({ code, canStop }: CodeFormProps): VNode {
  const { pairing } = usePage();
  const field = useRef<HTMLInputElement>(null);
  const { pair, isBusy, error } = usePair(code, field);
  const [fieldId, errorId, hintId] = [useId(), useId(), useId()];
  // The user asked for the field. On a page that opens with it, the focus stays where it is.
  useLayoutEffect(() => {
    if (canStop) field.current?.focus();
  }, [canStop]);
  const submit = (event: Event): void => {
    event.preventDefault();
    pair();
  };
  return (
    <form class="code-form" onSubmit={submit}>
      <label for={fieldId}>Pairing code</label>
      <div class="field">
        <input
          id={fieldId}
          ref={field}
          class="code"
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
          Pair
        </button>
        {canStop && <StopButton />}
      </div>
      <p id={errorId} class="error" role="alert">
        {error}
      </p>
      <p id={hintId} class="hint quiet">
        {HINT}
      </p>
    </form>
  );
}

/** Goes back to the paired computers. */
function StopButton(): VNode {
  const { pairing } = usePage();
  const stop = (): void => {
    pairing.stopAsking();
    focusSoon("pair-another");
  };
  return (
    <button type="button" onClick={stop}>
      Cancel
    </button>
  );
}

/** Pairs with the code. If it is refused, the focus stays in its field. */
function usePair(code: string, field: RefObject<HTMLInputElement | null>) {
  const { pairing } = usePage();
  const { begin, isBusy, error } = useAction();
  const act = async (): Promise<void> => {
    try {
      if (parsePairingCode(code) === undefined) {
        throw new Error("A code has six letters and digits, such as K7M Q2X.");
      }
      await pairing.pair(code);
      focusSoon("add-sounds");
    } catch (failure) {
      field.current?.focus();
      throw failure;
    }
  };
  return { pair: () => begin(act), isBusy, error };
}
