import { join } from "node:path";
import type { Importer } from "../../../addon/importer.ts";
import { buildImporter } from "../../../addon/build-importer.ts";
import { PreviewHost } from "../../../addon/hosts/preview/preview-host.ts";
import { readPreviewSession } from "../../../addon/hosts/preview/preview-session.ts";
import { readImporterSettings } from "../../../addon/settings.ts";
import { until } from "../../sim/until.ts";
import type { HostileReport, HostileTask } from "./hostile-task.ts";

// A process of its own, whose memory is measured: an importer that visits one hostile relay after the other, or a reader
// that keeps what the first of them sends. It ends automatically.

const task = JSON.parse(process.argv[2] ?? "") as HostileTask;
const report = task.isNaive ? await readNaively(task.relays[0]?.[0] ?? "") : await visitAll(task);
const peakMb = process.resourceUsage().maxRSS / 1024;
process.stdout.write(JSON.stringify({ ...report, peakMb } satisfies HostileReport));

async function visitAll({ folder, relays, honest }: HostileTask) {
  const settings = {
    ...readImporterSettings({ environment: {} }),
    dataFolder: join(folder, "data"),
    soundsFolder: join(folder, "sounds"),
    inboxFolder: join(folder, "inbox"),
    isInboxGiven: true,
    isSoundsFolderNew: false,
    relayUrl: null,
  };
  const session = join(folder, "session.json");
  const importer = buildImporter({ settings, host: new PreviewHost(session), autoImport: true });
  await importer.start();
  const troubles: string[] = [];
  let mostListed = 0;
  // Automatic imports begin new runs meanwhile, each package's once.
  const cancelAll = () =>
    until(() => {
      for (const { packageId } of importer.state.runs) importer.cancelRun(packageId);
      return importer.state.runs.length === 0;
    });
  /** Returns the refusal, if any. */
  const switchTo = async (address: string): Promise<string | undefined> => {
    for (;;) {
      await cancelAll();
      const refused = await importer.setRelay(address).then(() => undefined, String);
      if (refused?.includes("An import is running") !== true) return refused;
    }
  };
  for (const [address, says] of relays) {
    const refused = await switchTo(address);
    let said = refused;
    const isSaid = (): boolean => {
      const { trouble } = importer.state.connection;
      if (says !== null && trouble !== null && new RegExp(says).test(trouble)) said = trouble;
      return says === null ? isRetrying(importer) : said !== undefined;
    };
    if (refused === undefined) await until(isSaid).catch(() => undefined);
    mostListed = Math.max(mostListed, importer.state.packages.length);
    troubles.push(said ?? importer.state.connection.trouble ?? "none");
  }
  await switchTo(honest);
  const { packages, failures } = await importer.importAll();
  const scenes = (await readPreviewSession(session)).scenes.map(({ name }) => name);
  await importer.close();
  return { troubles, mostListed, scenes, imported: packages.length, failures };
}

/** Returns whether a download doesn't go as it should. */
function isRetrying({ state }: Pick<Importer, "state">): boolean {
  return state.runs.some(({ progress }) => progress?.phase === "retrying");
}

/** Keeps all pages, as a reader without a limit does, until that is more than an importer may take. */
async function readNaively(address: string) {
  const kept: unknown[] = [];
  for (let page = 0; process.memoryUsage().rss < 450 * 1024 ** 2 && page < 5000; page += 1) {
    const answer = await fetch(`${address}/importer/packages?after=${page}`);
    kept.push(await answer.json());
  }
  return { troubles: [], mostListed: kept.length, scenes: [], imported: 0, failures: [] };
}
