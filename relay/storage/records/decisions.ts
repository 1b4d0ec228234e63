import type { OperatorRecords } from "../../domain/ports.ts";
import type { Engine } from "./engine.ts";

export const DECISION_CHANGES = {};

export function operatorRecords(_engine: Engine): OperatorRecords {
  return {} as OperatorRecords;
}
