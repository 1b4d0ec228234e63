import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { t } from "../kit/page-language.ts";
import { useAction, Refused, onEscape } from "../kit/action.tsx";

interface AskFirstProps {
  readonly action: "unpair" | "withdraw";
  /** The package or app that the action affects. */
  readonly name: string;
  readonly act: () => Promise<void>;
}

/**
 * A button that asks before it acts. Keep then takes its place, so that a second click does nothing, and the action
 * appears beside it in reserved room. Escape cancels, and the focus returns to the button.
 */
export function AskFirst({ action, name, act }: AskFirstProps): VNode {
  const { begin, error } = useAction();
  const [isConfirming, setIsConfirming] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasConfirming = useRef(false);
  useLayoutEffect(() => {
    if (isConfirming !== wasConfirming.current) button.current?.focus();
    wasConfirming.current = isConfirming;
  }, [isConfirming]);
  const ask = t(`page.${action}`, { name });
  return (
    <div
      class="ask-first"
      onKeyDown={isConfirming ? onEscape(() => setIsConfirming(false)) : undefined}
    >
      <button
        type="button"
        class={isConfirming ? "danger" : "danger away"}
        disabled={!isConfirming}
        aria-label={isConfirming ? ask : undefined}
        onClick={() => begin(act)}
      >
        {t(`page.${action}Now`)}
      </button>
      <button
        type="button"
        ref={button}
        key={isConfirming ? "keep" : "ask"}
        aria-label={isConfirming ? t("page.keepNamed", { name }) : ask}
        onClick={() => setIsConfirming(!isConfirming)}
      >
        {isConfirming ? t("page.keep") : t(`page.${action}Now`)}
      </button>
      <Refused error={error} />
    </div>
  );
}

/** Notes on a sound or a package, each a paragraph. */
export function Notes({ sentences }: { readonly sentences: readonly string[] }): VNode {
  return (
    <>
      {sentences.map((sentence) => (
        <p key={sentence} class="note">
          {sentence}
        </p>
      ))}
    </>
  );
}

/** Moves the focus to the element with this id after the next render. */
export function focusSoon(id: string): void {
  requestAnimationFrame(() => {
    requestAnimationFrame(() => document.getElementById(id)?.focus());
  });
}
