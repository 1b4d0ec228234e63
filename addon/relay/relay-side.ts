import type {
  AppsAnswer,
  PackagesAnswer,
  PairingCodeAnswer,
} from "../../core/protocol/importer-api.ts";
import type { PackageSource } from "../packages/package-source.ts";
import { RelayUnreachableError } from "./relay-errors.ts";

/**
 * What the importer asks of the relay that it speaks to. A call may reject with `RelayError` or
 * `RelayUnreachableError`; what a call reads is in the state by then.
 */
export interface RelaySide {
  /** Connects in the background, and keeps the state as the relay has it. */
  connect(): void;
  /** Reads everything anew, soon. */
  refresh(): void;
  pairingCode(): Promise<PairingCodeAnswer>;
  readApps(): Promise<AppsAnswer>;
  unpair(pairingId: string): Promise<void>;
  /** Gives the name as the relay cleaned it. */
  rename(deviceName: string): Promise<string>;
  readPackages(): Promise<PackagesAnswer>;
  /** @throws {Error} with a sentence, when the relay has no such package for this computer */
  findPackage(packageId: string): Promise<PackageSource>;
  /** Ends every connection; later calls reject. */
  close(): Promise<void>;
}

/** Stands in where no relay is set (rule N4): everything else of the importer works. */
export const NO_RELAY: RelaySide = {
  connect: () => undefined,
  refresh: () => undefined,
  pairingCode: noRelay,
  readApps: noRelay,
  unpair: noRelay,
  rename: noRelay,
  readPackages: noRelay,
  findPackage: noRelay,
  close: async () => undefined,
};

async function noRelay(): Promise<never> {
  throw new RelayUnreachableError("No relay is set. Enter its address in the panel.");
}
