import type { PartialTurns, RecordStore } from "../../domain/ports.ts";
import { operatorRecords } from "./decisions.ts";
import type { Engine } from "./engine.ts";
import { packageRecords } from "./package-records.ts";
import { pairingRecords } from "./pairing-records.ts";
import { soundKeys } from "./sound-keys.ts";
import { storeUpkeep } from "./upkeep.ts";

export type RecordsOver = Required<
  Pick<RecordStore, "pairings" | "packages" | "soundKeys" | "upkeep" | "operatorRecords">
>;

/** The records over a database. @param turns where several processes share it */
export function recordsOver(engine: Engine, turns?: PartialTurns): RecordsOver {
  return {
    pairings: pairingRecords(engine),
    packages: packageRecords(engine),
    soundKeys: soundKeys(engine, turns),
    upkeep: storeUpkeep(engine),
    operatorRecords: operatorRecords(engine),
  };
}
