import type { PairingRecords } from "../../domain/ports.ts";
import type { Engine } from "./engine.ts";

export function pairingRecords(_engine: Engine): PairingRecords {
  return {} as PairingRecords;
}
