import type { PackageRecords } from "../../domain/ports.ts";
import type { Engine } from "./engine.ts";

export function packageRecords(_engine: Engine): PackageRecords {
  return {} as PackageRecords;
}
