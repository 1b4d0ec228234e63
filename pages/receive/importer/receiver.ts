import { takeTurns } from "../../../core/layout/color-turns.ts";
import { needsColorTurn, planLayout } from "../../../core/layout/plan-layout.ts";
import { panelPlanOf } from "../../../core/panel/panel-plan.ts";
import type { ImportablePackage } from "../../../core/protocol/importer-api.ts";
import { parseOffered } from "../../../core/protocol/offered-package.ts";
import { dismissedResults, isDismissal } from "../../../core/protocol/package-status.ts";
import type { ImportRequest, PanelPlan } from "../../../core/protocol/panel-api.ts";
import { receiveSentence } from "../../../core/protocol/receive-sentences.ts";
import { runSentence } from "../../../core/protocol/run-sentences.ts";
import { Downloads } from "./download/downloads.ts";
import { packagesWithPartFiles, removePartsOf } from "./download/private-files.ts";
import { PackageHeaders } from "./package-headers.ts";
import type { ReceiveDatabase, StoredIdentity, StoredSettings } from "./receive-database.ts";
import type { ReceivedZip } from "./receive-state.ts";
import type { RelayCalls } from "./relay/relay-calls.ts";
import { RelayWatch } from "./relay/relay-watch.ts";
import { Reports } from "./relay/reports.ts";
import { BrowserRuns } from "./runs/browser-runs.ts";
import { type PackageZip, ZipTarget } from "./save/compose-zip.ts";
import type { FormatLiveSet } from "./save/live-set-file.ts";
import type { SaveTarget } from "./save/package-to-save.ts";
import { allowWriting } from "./save/picked-folder.ts";
import { FolderTarget } from "./save/save-in-folder.ts";

/** Time for which the parts of a ZIP stay, so that it can be saved again. */
const ZIP_LIMIT_MS = 3_600_000;

interface ReceiverDeps {
  readonly database: ReceiveDatabase;
  readonly calls: RelayCalls;
  readonly identity: StoredIdentity;
  readonly settings: () => StoredSettings;
  readonly changeSettings: (change: Partial<StoredSettings>) => Promise<void>;
  readonly onZip: (zip: ReceivedZip) => void;
  /** Called when the ZIP of a package is not there any more. */
  readonly onZipGone: (packageId: string) => void;
  /** Called after each change. */
  readonly onChange: () => void;
}

/** The importer of the tab that receives, from when it gets the lock until it loses it. */
export class Receiver {
  readonly watch: RelayWatch;
  readonly runs: BrowserRuns;
  readonly #deps: ReceiverDeps;
  readonly #downloads = new Downloads();
  readonly #reports: Reports;
  readonly #headers: PackageHeaders;
  readonly #zipTimers = new Map<string, number>();
  #isResumed = false;

  constructor(deps: ReceiverDeps) {
    const { database, calls, identity, onChange } = deps;
    this.#deps = deps;
    this.#reports = new Reports(database, calls);
    this.#headers = new PackageHeaders(calls);
    this.watch = new RelayWatch({
      calls,
      identity,
      beforePackages: async () => void (await this.#reports.flush()),
      onPackages: ({ packages }) => this.#learn(packages),
    });
    this.runs = new BrowserRuns({
      database,
      calls,
      downloads: this.#downloads,
      find: (packageId) => this.#find(packageId),
      colorTurnOf: (packageId) => this.#colorTurnOf(packageId),
      target: () => this.#target(),
      onEnd: (packageId) => this.#end(packageId),
    });
    this.watch.subscribe(() => {
      onChange();
      void this.#resumeOnce();
    });
    this.runs.subscribe(onChange);
  }

  /** Begins an import, and asks for the folder's permission while the click is still fresh. */
  async begin(request: ImportRequest): Promise<void> {
    await this.#assertPlace();
    await this.#undismiss(request.packageId);
    await this.runs.begin(request);
  }

  /** Imports every package that waits. */
  async importAll(): Promise<void> {
    await this.#assertPlace();
    const { dismissed } = this.#deps.settings();
    for (const { package_id: packageId, status, taken } of this.watch.view.packages.toReversed()) {
      const isNew = status === "waiting" && !taken && !dismissed.includes(packageId);
      if (isNew && !this.runs.isRunning(packageId)) await this.runs.begin({ packageId }, true);
    }
  }

  /** Hides a package, and reports that where its app still waits (rule R12). */
  async dismiss(packageId: string): Promise<void> {
    const listed = this.#listed(packageId);
    if (this.runs.isRunning(packageId) || listed.taken) {
      throw new Error(runSentence("IMPORT_RUNS", { title: listed.manifest.title }));
    }
    const { dismissed } = this.#deps.settings();
    await this.#deps.changeSettings({ dismissed: [...new Set([...dismissed, packageId])] });
    if (listed.status !== "waiting" || listed.results !== undefined) return;
    const results = dismissedResults(listed.manifest.items.map(({ id }) => id));
    await this.#reports.put({ packageId, results, isRefused: false });
    this.watch.refresh();
  }

  /** Shows a package again. */
  async undoDismiss(packageId: string): Promise<void> {
    await this.#undismiss(packageId);
    this.watch.refresh();
  }

  async plan(packageId: string): Promise<PanelPlan> {
    const listed = this.#listed(packageId);
    const { manifest, warnings, problems } = parseOffered(listed);
    const read = await this.#headers.of(listed);
    const sounds = new Map(read);
    for (const [id, error] of problems) sounds.set(id, { error });
    const colorTurn = this.#colorTurnOf(packageId);
    return panelPlanOf({ layout: planLayout({ manifest, warnings, sounds, colorTurn }), sounds });
  }

  sound(packageId: string, soundId: string, signal: AbortSignal): Promise<Blob> {
    return this.#headers.sound(this.#listed(packageId), soundId, signal);
  }

  /** Stops everything; what was begun stays written down. */
  async close(): Promise<void> {
    for (const timer of this.#zipTimers.values()) clearTimeout(timer);
    await Promise.all([this.runs.close(), this.watch.close()]);
    this.#downloads.end();
  }

  #find(packageId: string): ImportablePackage | undefined {
    return this.watch.view.packages.find(({ package_id }) => package_id === packageId);
  }

  #listed(packageId: string): ImportablePackage {
    const listed = this.#find(packageId);
    if (listed === undefined) throw new Error(runSentence("NOT_AT_RELAY", { id: packageId }));
    return listed;
  }

  #colorTurnOf(packageId: string): number {
    const { turns, next } = this.#deps.settings().turns;
    return turns.get(packageId) ?? next;
  }

  async #assertPlace(): Promise<void> {
    const { place, folder } = this.#deps.settings();
    if (place === null) throw new Error(receiveSentence("RECEIVE_NO_PLACE"));
    if (place === "folder" && folder !== undefined) await allowWriting(folder);
  }

  /** Gives packages their colors in the order of their commits (rule T4), and forgets what is gone. */
  async #learn(packages: readonly ImportablePackage[]): Promise<void> {
    const { turns } = this.#deps.settings();
    const listed = new Set(packages.map(({ package_id }) => package_id));
    const colored = packages.toReversed().filter(({ manifest }) => needsColorTurn(manifest));
    const ids = colored.map(({ package_id }) => package_id);
    const taken = takeTurns(turns, ids, (id) => listed.has(id));
    if (taken !== turns) await this.#deps.changeSettings({ turns: taken });
  }

  /** Goes on with what an earlier tab began, once the packages are known. */
  async #resumeOnce(): Promise<void> {
    if (this.#isResumed || this.watch.view.isReading) return;
    this.#isResumed = true;
    const { database } = this.#deps;
    const listed = new Set(this.watch.view.packages.map(({ package_id }) => package_id));
    const begun = new Set((await database.runs()).map(({ packageId }) => packageId));
    await database.keepFinished(listed);
    for (const id of await packagesWithPartFiles()) if (!begun.has(id)) await removePartsOf(id);
    await this.runs.resume();
  }

  #target(): SaveTarget {
    const { place, folder, writesLiveSet } = this.#deps.settings();
    const format: FormatLiveSet = async (request) =>
      writesLiveSet ? this.#downloads.formatLiveSet(request) : null;
    if (place === "folder" && folder !== undefined) return new FolderTarget(folder, format);
    return new ZipTarget(format, (zip, packageId) => this.#handOver(zip, packageId));
  }

  #handOver({ zip, fileName }: PackageZip, packageId: string): void {
    const url = URL.createObjectURL(zip);
    this.#deps.onZip({ packageId, fileName, url, sizeBytes: zip.size });
    clearTimeout(this.#zipTimers.get(packageId));
    const timer = setTimeout(() => void this.#dropZip(packageId), ZIP_LIMIT_MS);
    this.#zipTimers.set(packageId, timer);
  }

  async #dropZip(packageId: string): Promise<void> {
    if (this.runs.isRunning(packageId)) return;
    this.#deps.onZipGone(packageId);
    await removePartsOf(packageId);
  }

  /** Sends the report of a run that has ended. What was written into a folder needs no parts any more. */
  async #end(packageId: string): Promise<void> {
    const ended = this.runs.view.finished.find((run) => run.packageId === packageId);
    const isSaved = ended !== undefined && "outcome" in ended.result;
    if (isSaved && this.#deps.settings().place === "folder") await removePartsOf(packageId);
    await this.#reports.flush();
    this.watch.refresh();
  }

  async #undismiss(packageId: string): Promise<void> {
    const { dismissed } = this.#deps.settings();
    if (!dismissed.includes(packageId)) return;
    await this.#deps.changeSettings({ dismissed: dismissed.filter((id) => id !== packageId) });
    await this.#reports.withdraw(packageId, isDismissal);
  }
}
