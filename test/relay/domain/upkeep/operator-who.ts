import { Operator } from "../../../../relay/domain/upkeep/operator.ts";
import type { OperatorRecords } from "../../../../relay/domain/ports.ts";

/** Makes an operator whose only decisions are those of these records. */
export async function operatorWho(decides: Partial<OperatorRecords>): Promise<Operator> {
  const records: OperatorRecords = {
    ...Object.create(null),
    readDecisions: async () => ({
      addresses: [],
      devices: [],
      off: new Map(),
      deniesSounds: true,
      hasKeys: false,
    }),
    findDenied: async () => new Set(),
    ...decides,
  };
  const operator = new Operator(records);
  await operator.refresh();
  return operator;
}
