import { join } from "node:path";
import { setTimeout as setTimeoutOf } from "node:timers";
import { setTimeout } from "node:timers/promises";
import { buildImporter } from "../../../addon/build-importer.ts";
import { PreviewHost } from "../../../addon/hosts/preview/preview-host.ts";
import { readPreviewSession } from "../../../addon/hosts/preview/preview-session.ts";
import { readImporterSettings } from "../../../addon/settings.ts";
import type { HostileReport, HostileTask } from "./hostile-task.ts";

// A process of its own, whose memory is measured: an importer that visits one hostile relay after the other, or a reader
// that keeps what the first of them sends. It ends by itself.

const GIVE_UP_MS = 150_000;
const task = JSON.parse(process.argv[2] ?? "") as HostileTask;
const report = task.isNaive ? await readNaively(task.relays[0]?.[0] ?? "") : await visitAll(task);
const peakMb = process.resourceUsage().maxRSS / 1024;
process.stdout.write(JSON.stringify({ ...report, peakMb } satisfies HostileReport));

async function visitAll({ folder, relays, honest, dwellMs, mostMs }: HostileTask) {
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
  let step = "start";
  const giveUp = () => {
    throw new Error(`Hangs at ${step}: ${JSON.stringify(importer.state.runs)}`);
  };
  setTimeoutOf(giveUp, GIVE_UP_MS).unref();
  let mostListed = 0;
  // Automatic imports begin new runs meanwhile, each package's once.
  const cancelAll = async (): Promise<void> => {
    while (importer.state.runs.length > 0) {
      for (const { packageId } of importer.state.runs) importer.cancelRun(packageId);
      await setTimeout(20);
    }
  };
  for (const [address, says] of relays) {
    step = address;
    await cancelAll();
    const refused = await importer.setRelay(address).then(
      () => undefined,
      (error: unknown) => String(error),
    );
    const endMs = performance.now() + (says === null ? dwellMs : mostMs);
    const pattern = new RegExp(says ?? "$^");
    let said = refused;
    while (said === undefined && performance.now() < endMs) {
      await setTimeout(20);
      const { trouble } = importer.state.connection;
      if (trouble !== null && pattern.test(trouble)) said = trouble;
    }
    mostListed = Math.max(mostListed, importer.state.packages.length);
    troubles.push(said ?? importer.state.connection.trouble ?? "none");
  }
  await cancelAll();
  step = "the honest relay";
  await importer.setRelay(honest);
  step = "import";
  const { packages, failures } = await importer.importAll();
  const scenes = (await readPreviewSession(session)).scenes.map(({ name }) => name);
  step = "close";
  await importer.close();
  return { troubles, mostListed, scenes, imported: packages.length, failures };
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
