import type { VNode } from "preact";
import type { PanelLive } from "../../../core/protocol/panel-api.ts";
import { usePanel } from "../panel-context.ts";
import { formatLiveName, isLiveReady } from "../text/format-live.ts";
import { LiveCheck } from "./live-check.tsx";
import { LiveSteps } from "./live-steps.tsx";

/**
 * The way to exact time in Live (rule H20): the steps as a card, or behind a line once Live answers. In Live's
 * own dialog they are an offer, because the extension works without them.
 */
export function LiveSetup({ live }: { readonly live: PanelLive }): VNode {
  const { store } = usePanel();
  if (isLiveReady(live)) {
    return (
      <div class="live-setup">
        <details>
          <summary>
            <span class="live-ready">{formatLiveName(live)} is ready for exact imports</span>
          </summary>
          <LiveSteps live={live} />
        </details>
        <LiveCheck />
      </div>
    );
  }
  if (store.isDialog) {
    return (
      <details class="card live-setup">
        <summary>For exact tempo and gain, add the Soundferry control surface</summary>
        <Why />
        <LiveSteps live={live} />
      </details>
    );
  }
  return (
    <section class="card live-setup" aria-labelledby="live-setup" data-then="live-setup">
      <h2 id="live-setup" tabIndex={-1}>
        Set up Ableton Live
      </h2>
      <Why />
      <LiveSteps live={live} />
    </section>
  );
}

function Why(): VNode {
  return (
    <p class="quiet">
      The control surface is a small script inside Live. With it, every loop gets its exact tempo,
      start and gain, in every edition of Live 12.
    </p>
  );
}
