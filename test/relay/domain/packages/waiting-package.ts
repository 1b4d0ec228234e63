import { readStatus } from "../../../../relay/domain/packages/read-status.ts";
import { reportResults, takePackage } from "../../../../relay/domain/packages/import-package.ts";
import { openUseCases, pairedApp, recordOf, send } from "../use-cases.ts";

/** A package that waits, and its importer's calls on it; earlier notifications are forgotten. */
export async function waitingPackage(files: readonly string[] = ["kick.wav"]) {
  const cases = await openUseCases();
  const app = await pairedApp(cases);
  const packageId = await send(cases, app, files);
  cases.notified.length = 0;
  const { context } = cases;
  return {
    cases,
    context,
    app,
    packageId,
    changed: [`package:${packageId} packages.changed`, `device:${app.deviceId} packages.changed`],
    take: (request: unknown) => takePackage(context, app.deviceId, packageId, request),
    report: async (results: unknown) => {
      const record = await reportResults(context, app, packageId, { results: results ?? {} });
      return record.life.outcome;
    },
    lease: async () => (await recordOf(cases, packageId)).life.lease,
    status: async () => JSON.parse(await readStatus(context, app, packageId)),
    [Symbol.asyncDispose]: () => cases[Symbol.asyncDispose](),
  };
}
