import type { VNode } from "preact";
import type { PanelRun } from "../../../core/protocol/panel-api.ts";
import { formatInto } from "../../../core/page/format-host.ts";
import { usePanel } from "../panel-context.ts";
import { Refused } from "../../../web/refused.tsx";
import { useAction } from "../../../web/use-action.ts";
import { formatProgress } from "../text/format-progress.ts";
import { cardNameOf } from "./group-packages.ts";

/** An active or queued import. */
export function RunCard({ run }: { readonly run: PanelRun }): VNode {
  const { store } = usePanel();
  const { begin, isBusy, error } = useAction();
  const { packageId, otherHost, title, progress } = run;
  const { words, part } = formatProgress(progress);
  const name = cardNameOf(run);
  const titleId = `run-${name}`;
  return (
    <article
      class="card"
      aria-labelledby={titleId}
      data-then={`result-${name} package-${packageId} packages`}
    >
      <div class="head">
        <h3 id={titleId} tabIndex={-1} class="title">
          <bdi>{title}</bdi>
          {formatInto(otherHost)}
        </h3>
        <button
          type="button"
          aria-disabled={isBusy}
          aria-label={`Cancel the import of ${title}`}
          onClick={() => begin(() => store.calls.cancelRun(packageId))}
        >
          Cancel
        </button>
      </div>
      <div
        class={part === null ? "bar waits" : "bar"}
        role="progressbar"
        aria-labelledby={titleId}
        aria-valuetext={words}
        {...(part !== null && {
          "aria-valuemin": 0,
          "aria-valuemax": 100,
          "aria-valuenow": Math.round(part * 100),
        })}
      >
        <span style={{ width: `${(part ?? 0) * 100}%` }} />
      </div>
      <p class="facts">{words}</p>
      <Refused error={error} />
    </article>
  );
}
