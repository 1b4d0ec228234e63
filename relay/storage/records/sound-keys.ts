import type { PartialTurns, ResumingSoundKeys } from "../../domain/ports.ts";
import type { Engine } from "./engine.ts";

export const KEY_CHANGES = {};

export function soundKeys(_engine: Engine, _turns?: PartialTurns): ResumingSoundKeys {
  return {} as ResumingSoundKeys;
}
