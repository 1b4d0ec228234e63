import type { VNode } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useAction } from "../../../web/use-action.ts";
import { Refused } from "../../../web/refused.tsx";

interface AskFirstProps {
  /** The label of the button, and of the one that confirms. */
  readonly verb: string;
  /** What the action affects. */
  readonly thing: string;
  /** The label of the button that cancels. */
  readonly refuse: string;
  readonly act: () => Promise<void>;
}

/** A button that asks before it acts. Escape cancels, and the focus returns to the button. */
export function AskFirst({ verb, thing, refuse, act }: AskFirstProps): VNode {
  const { begin, error } = useAction();
  const [isConfirming, setIsConfirming] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const no = useRef<HTMLButtonElement>(null);
  const wasConfirming = useRef(false);
  const titleId = useId();
  useLayoutEffect(() => {
    if (isConfirming) no.current?.focus();
    else if (wasConfirming.current) button.current?.focus();
    wasConfirming.current = isConfirming;
  }, [isConfirming]);
  return (
    <div class="act">
      {isConfirming ? (
        <div
          class="question"
          role="group"
          aria-labelledby={titleId}
          onKeyDown={(event) => {
            if (event.key === "Escape") setIsConfirming(false);
          }}
        >
          <span id={titleId} class="unseen">{`${verb} ${thing}?`}</span>
          <button type="button" class="danger" onClick={() => begin(act)}>
            {verb}
            <span class="unseen"> {thing}</span>
          </button>
          <button type="button" ref={no} onClick={() => setIsConfirming(false)}>
            {refuse}
            <span class="unseen"> {thing}</span>
          </button>
        </div>
      ) : (
        <button
          type="button"
          class="plain"
          ref={button}
          aria-label={`${verb} ${thing}`}
          onClick={() => setIsConfirming(true)}
        >
          {verb}
        </button>
      )}
      <Refused error={error} />
    </div>
  );
}
