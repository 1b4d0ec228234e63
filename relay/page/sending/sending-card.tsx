import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { usePage } from "../page-context.ts";
import { formatSending } from "./format-sending.ts";
import type { Sending } from "./sending.ts";
import { Refused } from "../../../web/refused.tsx";

/** A package being sent: its progress, what delays it, and a button to cancel. */
export function SendingCard({ sending }: { readonly sending: Sending }): VNode {
  const { sending: actions } = usePage();
  const { words, part } = formatSending(sending);
  const heading = useRef<HTMLHeadingElement>(null);
  // The pressed button is gone.
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <section class="card" aria-labelledby="sending">
      <div class="head">
        <h2 id="sending" ref={heading} tabIndex={-1}>
          <bdi>{sending.title}</bdi> → <bdi>{sending.computerName}</bdi>
        </h2>
        <button type="button" onClick={() => actions.cancel()}>
          Cancel
        </button>
      </div>
      <div
        class={part === null ? "bar waits" : "bar"}
        role="progressbar"
        aria-labelledby="sending"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={part === null ? undefined : Math.round(part * 100)}
        aria-valuetext={words}
      >
        <span style={{ width: `${(part ?? 0) * 100}%` }} />
      </div>
      <p>{words}</p>
      <Refused error={sending.trouble} />
    </section>
  );
}
