import type { StoreUpkeep } from "../../domain/ports.ts";
import type { Engine } from "./engine.ts";

export const UPKEEP_CHANGES = {};

export function storeUpkeep(_engine: Engine): StoreUpkeep {
  return {} as StoreUpkeep;
}
