import { askAll, statement, type Work } from "../storage/records/statement.ts";
import { type DeviceExport, exportDevice } from "./export-device.ts";
import {
  listBlocks,
  listDenials,
  type ListedBlock,
  type ListedDenial,
  type ListedOperation,
  type ListedSwitch,
  listOperations,
  listSwitches,
} from "./list-decisions.ts";
import {
  LISTED_STATES,
  listApps,
  listDevices,
  type ListedApp,
  type ListedDevice,
  type ListedPackage,
  type ListedState,
  listPackages,
  STATE_OF_PACKAGE,
} from "./list-records.ts";
import {
  openRecords,
  type OperatedRecords,
  type StoreSettings,
  withSounds,
} from "./open-operated.ts";
import { type Page, type PageOf, timeOf } from "./pages.ts";

/** A relay at a glance. */
export interface Stats extends Counts {
  readonly packages: Readonly<Record<ListedState, number>>;
  readonly oldest_waiting_since: string | null;
  /** Announced bytes of the packages with files. */
  readonly bytes_announced: number;
  /** Number of these bytes that have not arrived. */
  readonly bytes_missing: number;
  readonly switches: readonly ListedSwitch[];
  /** Free bytes of the sounds' disk; null if they are unknown, as for a bucket. */
  readonly disk_free_bytes: number | null;
}

interface Counts {
  readonly devices: number;
  /** Number of devices that no app was ever paired with. */
  readonly devices_never_paired: number;
  readonly apps: number;
  readonly blocked_addresses: number;
  readonly blocked_devices: number;
  readonly denied_sounds: number;
}

const COUNTS = statement<Counts>(
  "view_counts",
  `SELECT (SELECT count(*) FROM devices) AS devices,
     (SELECT count(*) FROM devices WHERE has_paired = 0) AS devices_never_paired,
     (SELECT count(*) FROM pairings) AS apps,
     (SELECT count(*) FROM blocks WHERE kind = 'address') AS blocked_addresses,
     (SELECT count(*) FROM blocks WHERE kind = 'device') AS blocked_devices,
     (SELECT count(*) FROM denied_sounds) AS denied_sounds`,
);
const STATES = statement<{
  readonly state: string;
  readonly n: number;
  readonly oldest: number | null;
  readonly announced: number;
  readonly missing: number;
}>(
  "view_states",
  `SELECT ${STATE_OF_PACKAGE} AS state, count(*) AS n, min(committed_at) AS oldest,
     CAST(coalesce(sum(announced_bytes) FILTER (WHERE files_deleted = 0), 0) AS bigint) AS announced,
     CAST(coalesce(sum(missing_bytes) FILTER (WHERE files_deleted = 0), 0) AS bigint) AS missing
   FROM packages GROUP BY 1`,
);

/** Opens a relay's records to look at them. @throws {Error} as `openRecords` */
export async function openView(settings: StoreSettings): Promise<RelayView> {
  const records = await openRecords(settings, { mayWrite: false });
  const place = settings.databaseUrl === undefined ? settings.dataFolder : records.engine.where;
  return new RelayView(records, {
    place,
    freeBytes: () => withSounds(settings, (sounds) => sounds.room()),
  });
}

/** A relay's records as an operator sees them, beside running relays. */
export class RelayView implements AsyncDisposable {
  /** Place of the records, for sentences. */
  readonly place: string;
  readonly #records: OperatedRecords;
  readonly #freeBytes: () => Promise<number | "unknown">;

  /** Owns the records from then on. @param freeBytes reads the room that the sounds have */
  constructor(
    records: OperatedRecords,
    {
      place,
      freeBytes,
    }: { readonly place: string; readonly freeBytes: () => Promise<number | "unknown"> },
  ) {
    this.place = place;
    this.#records = records;
    this.#freeBytes = freeBytes;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#records[Symbol.asyncDispose]();
  }

  listDevices(...list: Parameters<typeof listDevices>): Promise<Page<ListedDevice>> {
    return this.#read(listDevices(...list));
  }

  listApps(...list: Parameters<typeof listApps>): Promise<Page<ListedApp>> {
    return this.#read(listApps(...list));
  }

  listPackages(...list: Parameters<typeof listPackages>): Promise<Page<ListedPackage>> {
    return this.#read(listPackages(...list));
  }

  listBlocks(page: PageOf): Promise<Page<ListedBlock>> {
    return this.#read(listBlocks(page));
  }

  listDenials(page: PageOf): Promise<Page<ListedDenial>> {
    return this.#read(listDenials(page));
  }

  listSwitches(): Promise<readonly ListedSwitch[]> {
    return this.#read(listSwitches());
  }

  listOperations(page: PageOf): Promise<Page<ListedOperation>> {
    return this.#read(listOperations(page));
  }

  /** Exports everything that is stored about a device. @returns undefined if there is no such device */
  exportDevice(deviceId: string, now: number): Promise<DeviceExport | undefined> {
    return this.#read(exportDevice(deviceId, now));
  }

  async readStats(): Promise<Stats> {
    const free = await this.#freeBytes();
    return { ...(await this.#read(countAll())), disk_free_bytes: free === "unknown" ? null : free };
  }

  #read<Result>(read: Work<Result>): Promise<Result> {
    return this.#records.engine.readSlowly(read);
  }
}

function* countAll(): Work<Omit<Stats, "disk_free_bytes">> {
  const [[counts], states] = yield* askAll(COUNTS(), STATES());
  if (counts === undefined) throw new Error("The database counted nothing.");
  const sumOf = (column: "announced" | "missing") =>
    states.reduce((sum, row) => sum + row[column], 0);
  const numbers = LISTED_STATES.map((name) => {
    return [name, states.find(({ state }) => state === name)?.n ?? 0] as const;
  });
  const oldest = states.find(({ state }) => state === "waiting")?.oldest;
  return {
    ...counts,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fromEntries forgets the names; they are the list's
    packages: Object.fromEntries(numbers) as Record<ListedState, number>,
    oldest_waiting_since: typeof oldest === "number" ? timeOf(oldest) : null,
    bytes_announced: sumOf("announced"),
    bytes_missing: sumOf("missing"),
    switches: yield* listSwitches(),
  };
}
