import type { DeviceExport } from "./export-device.ts";
import type { ListedBlock, ListedDenial, ListedOperation, ListedSwitch } from "./list-decisions.ts";
import type { ListedApp, ListedDevice, ListedPackage, Page, PageOf } from "./list-records.ts";
import type { Stats } from "./read-stats.ts";

/** Which packages to list: of one device, in one state, with a sound of this SHA-256. */
export interface PackageFilter {
  readonly device?: string | undefined;
  readonly state?: string | undefined;
  readonly sha256?: string | undefined;
}

/**
 * What an operator sees of a relay's records, beside relays that run. Changes nothing. SQLite and PostgreSQL answer
 * alike.
 */
export interface RelayView extends AsyncDisposable {
  /** Where the records are, for sentences. */
  readonly place: string;
  /** @param onlyUnpaired those that no app was ever paired with */
  listDevices(
    page: PageOf,
    options?: { readonly onlyUnpaired?: boolean },
  ): Promise<Page<ListedDevice>>;
  listApps(
    page: PageOf,
    options?: { readonly device?: string | undefined },
  ): Promise<Page<ListedApp>>;
  listPackages(page: PageOf, filter?: PackageFilter): Promise<Page<ListedPackage>>;
  listBlocks(page: PageOf): Promise<Page<ListedBlock>>;
  listDenials(page: PageOf): Promise<Page<ListedDenial>>;
  listSwitches(): Promise<readonly ListedSwitch[]>;
  listOperations(page: PageOf): Promise<Page<ListedOperation>>;
  readStats(): Promise<Stats>;
  /** @returns undefined if there is no such device */
  exportDevice(deviceId: string, now: number): Promise<DeviceExport | undefined>;
}
