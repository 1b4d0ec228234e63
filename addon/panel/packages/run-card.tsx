import type { VNode } from "preact";
import type { PanelRun } from "../../../core/protocol/panel-api.ts";
import { usePanel } from "../panel-context.ts";
import { Refused } from "../../../web/refused.tsx";
import { useAction } from "../../../web/use-action.ts";
import { sayProgress } from "../words/say-progress.ts";

/** An import that goes on or waits for its turn. */
export function RunCard({ run }: { readonly run: PanelRun }): VNode {
  const { store } = usePanel();
  const { begin, isBusy, error } = useAction();
  const { packageId, title, progress } = run;
  const { words, part } = sayProgress(progress);
  const titleId = `run-${packageId}`;
  return (
    <article
      class="card"
      aria-labelledby={titleId}
      data-then={`result-${packageId} package-${packageId} packages`}
    >
      <div class="head">
        <h3 id={titleId} tabIndex={-1} class="title">
          <bdi>{title}</bdi>
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
