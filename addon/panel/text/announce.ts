import type { PanelFinishedRun, PanelState } from "../../../core/protocol/panel-api.ts";
import { formatInto } from "../../../core/page/format-host.ts";
import { formatOutcome } from "../../../core/page/format-outcome.ts";
import { announceLive } from "./announce-live.ts";

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
    ...announceProgress(before, after),
    ...announceResults(before, after),
  ];
}

function announceConnection(before: PanelState, { connection }: PanelState): readonly string[] {
  if (connection.status === before.connection.status) return [];
  if (connection.status === "connected") return ["Connected to the relay."];
  return connection.status === "offline" ? ["No connection to the relay."] : [];
}

function announceApps(before: PanelState, after: PanelState): readonly string[] {
  const known = new Set(before.apps.map(({ pairingId }) => pairingId));
  return after.apps
    .filter(({ pairingId }) => !known.has(pairingId))
    .map(({ name }) => `Paired with ${name}.`);
}

function announceArrivals(before: PanelState, after: PanelState): readonly string[] {
  const known = new Set(before.packages.map(({ packageId }) => packageId));
  return after.packages
    .filter(({ packageId }) => !known.has(packageId))
    .map((arrived) =>
      "error" in arrived
        ? `${arrived.title} in the inbox can’t be imported.`
        : `New package from ${arrived.appName}: ${arrived.title}.`,
    );
}

function announceProgress(before: PanelState, after: PanelState): readonly string[] {
  return after.runs.flatMap((run) => {
    const earlier = before.runs.find(
      ({ packageId, otherHost }) => packageId === run.packageId && otherHost === run.otherHost,
    );
    const [was, is] = [quarterOf(earlier), quarterOf(run)];
    if (is === null || is === was) return [];
    return is === 0 ? [`Importing ${run.title}.`] : [`${run.title}: ${is * 25} % fetched.`];
  });
}

/** Returns the fetched quarters; null outside fetching. */
function quarterOf(run: PanelState["runs"][number] | undefined): number | null {
  const progress = run?.progress;
  if (progress?.phase !== "fetching" || progress.totalBytes === 0) return null;
  return Math.min(3, Math.floor((4 * progress.doneBytes) / progress.totalBytes));
}

function announceResults(before: PanelState, after: PanelState): readonly string[] {
  const known = new Set(before.finished.map(keyOf));
  return after.finished
    .filter((run) => !known.has(keyOf(run)))
    .map(({ title, otherHost, result }) =>
      "error" in result
        ? `${title}: ${result.error}`
        : `${title}: ${formatOutcome(result.outcome.tracks).words}${formatInto(otherHost)}.`,
    );
}

function keyOf({ packageId, at }: PanelFinishedRun): string {
  return `${packageId} ${at}`;
}
