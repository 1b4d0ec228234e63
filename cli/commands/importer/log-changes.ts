import type { Importer } from "../../../addon/importer.ts";
import { NEW_BECAUSE_NOTES } from "../../../addon/relay/choose-identity.ts";
import type { FinishedRun, ImporterState } from "../../../addon/state/importer-state.ts";
import type { ImportedTrack, ImportOutcome } from "../../../core/protocol/import-outcome.ts";
import { isOnlySaved, SAVING_HOST } from "../../../core/protocol/package-status.ts";
import { countOf } from "../../../core/text/count-of.ts";
import type { Output } from "../../output.ts";
import { headlineOf } from "./format-outcome.ts";
import { CODE_ENTERED_TWICE, formatPairingRequest } from "./pairing-code.ts";

/** Prints a line for each change of an importer, starting with those since this process began. */
export function logChanges(
  importer: Pick<Importer, "state" | "subscribe">,
  output: Output,
): Disposable {
  let before = stateAtStart(importer.state);
  const log = (now: ImporterState): void => {
    for (const line of linesOfChange(before, now)) output.say(line);
    before = now;
  };
  log(importer.state);
  return { [Symbol.dispose]: importer.subscribe(log) };
}

function stateAtStart(state: ImporterState): ImporterState {
  const connection = { ...state.connection, trouble: null, newBecause: null };
  const finished = state.finished.filter(({ at }) => Date.parse(at) < performance.timeOrigin);
  const host = { ...state.host, trouble: null, instead: null };
  return { ...state, host, connection, packages: [], local: [], finished, diskTrouble: null };
}

/** The lines for what is new in a state, oldest first. */
export function linesOfChange(before: ImporterState, now: ImporterState): string[] {
  return [
    ...hostLines(before, now),
    ...connectionLines(before, now),
    ...pairingLines(before, now),
    ...packageLines(before, now),
    ...retryLines(before, now),
    ...finishedLines(before, now),
    ...(now.diskTrouble !== null && now.diskTrouble !== before.diskTrouble
      ? [now.diskTrouble]
      : []),
  ];
}

const UNTIL_THEN = "Until then, imports are saved in the sounds folder.";

function hostLines({ host: before }: ImporterState, { host }: ImporterState): string[] {
  if (host.trouble !== null) return host.trouble === before.trouble ? [] : [host.trouble];
  const isSame = host.name === before.name && before.trouble === null;
  if (host.name !== SAVING_HOST) return isSame ? [] : [`Imports now go into ${host.label}.`];
  const isSaid = isSame && host.instead === before.instead;
  return isSaid || host.instead === null ? [] : [`${host.instead} ${UNTIL_THEN}`];
}

function connectionLines(before: ImporterState, now: ImporterState): string[] {
  const { status, trouble, newBecause, relayUrl } = now.connection;
  const isBack = status === "connected" && before.connection.status === "offline";
  const isOther = relayUrl !== null && relayUrl !== before.connection.relayUrl;
  return [
    ...(isOther ? [`The relay is now ${relayUrl}.`] : []),
    ...(trouble !== null && trouble !== before.connection.trouble ? [trouble] : []),
    ...(isBack ? [`Reconnected to ${relayUrl}.`] : []),
    ...(newBecause !== null && newBecause !== before.connection.newBecause
      ? [NEW_BECAUSE_NOTES[newBecause]]
      : []),
  ];
}

function pairingLines(before: ImporterState, { pairing }: ImporterState): string[] {
  const { usedBy, request, ended } = pairing;
  const isAsked = request && request.request_id !== before.pairing.request?.request_id;
  return [
    ...(isAsked ? [formatPairingRequest(request)] : []),
    ...(ended === "second-address" && before.pairing.ended !== ended ? [CODE_ENTERED_TWICE] : []),
    ...(usedBy !== null && before.pairing.usedBy === null ? [`Paired with ${usedBy.name}.`] : []),
  ];
}

function packageLines(before: ImporterState, now: ImporterState): string[] {
  const known = new Set([
    ...before.packages.map(({ package_id }) => package_id),
    ...before.local.map(({ folder }) => folder),
  ]);
  const waiting = now.packages.filter(
    ({ status, package_id }) => status === "waiting" && !known.has(package_id),
  );
  const found = now.local.filter(({ folder }) => !known.has(folder));
  return [
    ...waiting.map(
      ({ manifest, app_name }) =>
        `New package from ${app_name}: ${manifest.title}, ${countOf(manifest.items.length, "sound")}.`,
    ),
    ...found.flatMap((local) => {
      if ("error" in local) return [`In the inbox: ${local.folder}: ${local.error}`];
      const { title, items } = local.manifest;
      return local.imported
        ? []
        : [`New package in the inbox: ${title}, ${countOf(items.length, "sound")}.`];
    }),
  ];
}

/** A run whose connection was lost is named once, until bytes come again. */
function retryLines(before: ImporterState, now: ImporterState): string[] {
  const known = new Set(before.runs.filter(isRetrying).map(({ packageId }) => packageId));
  return now.runs
    .filter((run) => isRetrying(run) && !known.has(run.packageId))
    .map(({ title }) => `${title}: the connection was lost. Trying again…`);
}

function isRetrying({ progress }: ImporterState["runs"][number]): boolean {
  return progress?.phase === "retrying";
}

function finishedLines(before: ImporterState, now: ImporterState): string[] {
  return now.finished
    .filter((run) => !before.finished.includes(run))
    .reverse()
    .flatMap(linesOfRun);
}

function linesOfRun({ title, otherHost, result }: FinishedRun): string[] {
  if ("error" in result) return [`${title} was not imported: ${result.error}`];
  const { outcome } = result;
  return [
    `${headlineOf(outcome, otherHost)}${savedIn(outcome)}`,
    ...outcome.tracks.flatMap(linesOfSound),
  ];
}

/** Names the folder of a package that nothing else shows. */
function savedIn({ folder, tracks }: ImportOutcome): string {
  return folder !== null && isOnlySaved(tracks) ? ` Files: ${folder}` : "";
}

function linesOfSound({ clip, error }: ImportedTrack): string[] {
  return error === null ? [] : [`  ${clip}: ${error}`];
}
