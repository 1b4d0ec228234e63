import type {
  PanelFinishedRun,
  PanelOutcome,
  PanelPackage,
  PanelRun,
  PanelState,
} from "../../../core/protocol/panel-api.ts";
import { isOnlySaved } from "../../../core/protocol/package-status.ts";
import { formatOutcome } from "../../../core/text/format-outcome.ts";
import { formatInto } from "../../../core/text/format-host.ts";
import { formatRunError } from "./format-run.ts";
import { t } from "../../kit/page-language.ts";
import { formatLiveName, isLiveReady } from "./format-live.ts";

/**
 * Returns sentences for screen readers after a change: arrivals, new apps, a run's progress in quarters,
 * results, and the connection. Empty for other changes.
 */
export function announceChange(before: PanelState, after: PanelState): readonly string[] {
  return [
    ...announceConnection(before, after),
    ...announceLive(before, after),
    ...announceApps(before, after),
    ...announceArrivals(before, after),
    ...announceDismissals(before, after),
    ...announceProgress(before, after),
    ...announceResults(before, after),
  ];
}

function announceConnection(before: PanelState, { connection }: PanelState): readonly string[] {
  if (connection.status === before.connection.status) return [];
  if (connection.status === "connected") return [t("panel.said-connected")];
  return connection.status === "offline" ? [t("panel.said-offline")] : [];
}

function announceApps(before: PanelState, after: PanelState): readonly string[] {
  const known = new Set(before.apps.map(({ pairingId }) => pairingId));
  return after.apps
    .filter(({ pairingId }) => !known.has(pairingId))
    .map(({ name }) => t("panel.said-paired", { app: name }));
}

/** Returns a sentence for each package that is listed now and wasn't before. */
export function announceArrivals(before: PanelState, after: PanelState): readonly string[] {
  const known = new Set(before.packages.map(({ packageId }) => packageId));
  return after.packages
    .filter(({ packageId }) => !known.has(packageId))
    .map((arrived) =>
      "error" in arrived
        ? t("panel.said-unusable", { title: arrived.title })
        : t("panel.said-arrived", { app: arrived.appName, title: arrived.title }),
    );
}

function announceDismissals(before: PanelState, after: PanelState): readonly string[] {
  const hidden = new Set(before.packages.filter(isDismissed).map(({ packageId }) => packageId));
  return after.packages
    .filter((one) => isDismissed(one) && !hidden.has(one.packageId))
    .map(({ title }) => t("panel.said-dismissed", { title }));
}

function isDismissed(one: PanelPackage): boolean {
  return !("error" in one) && one.isDismissed;
}

function announceProgress(before: PanelState, after: PanelState): readonly string[] {
  return after.runs.flatMap((run) => {
    const earlier = before.runs.find(
      ({ packageId, otherHost }) => packageId === run.packageId && otherHost === run.otherHost,
    );
    const { title } = run;
    if (isRetrying(run) && !isRetrying(earlier)) return [t("panel.said-retrying", { title })];
    const [was, is] = [quarterOf(earlier), quarterOf(run)];
    if (is === null || is === was) return [];
    if (is === 0) return [t("panel.said-importing", { title })];
    return [t("panel.said-fetched", { title, percent: t("panel.percent", { value: is * 25 }) })];
  });
}

function isRetrying(run: PanelRun | undefined): boolean {
  return run?.progress?.phase === "retrying";
}

/** Returns the fetched quarters; null outside fetching. */
function quarterOf(run: PanelRun | undefined): number | null {
  const progress = run?.progress;
  if (progress?.phase !== "fetching" && progress?.phase !== "retrying") return null;
  if (progress.totalBytes === 0) return null;
  return Math.min(3, Math.floor((4 * progress.doneBytes) / progress.totalBytes));
}

function announceResults(before: PanelState, after: PanelState): readonly string[] {
  const known = new Set(before.finished.map(keyOf));
  return after.finished
    .filter((run) => !known.has(keyOf(run)))
    .map(({ title, otherHost, result }) =>
      "error" in result
        ? t("panel.said-error", { title, error: formatRunError(result) })
        : t("panel.said-result", {
            title,
            words: formatInto(t, outcomeWords(result.outcome.tracks), otherHost),
          }),
    );
}

function outcomeWords(tracks: PanelOutcome["tracks"]): string {
  return formatOutcome(t, tracks, isOnlySaved(tracks)).words;
}

function keyOf({ packageId, at }: PanelFinishedRun): string {
  return `${packageId} ${at}`;
}

/** Announces that Live's control surface begins to answer, or stops. */
export function announceLive(before: PanelState, after: PanelState): readonly string[] {
  const [was, is] = [before.live, after.live].map((live) => live !== null && isLiveReady(live));
  if (was === is || before.live === null || after.live === null) return [];
  return [
    is ? t("panel.live-answers", { live: formatLiveName(after.live) }) : t("panel.live-silent"),
  ];
}
