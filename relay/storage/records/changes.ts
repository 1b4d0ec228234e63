import type { Change } from "./change.ts";
import { CODE_CHANGES } from "./codes.ts";
import { COPY_CHANGES } from "./copy.ts";
import { DECISION_CHANGES } from "./decisions.ts";
import { QUOTA_CHANGES } from "./device-quota.ts";
import { DEVICE_CHANGES } from "./devices.ts";
import { EXPIRY_CHANGES } from "./expiry.ts";
import { ROOM_CHANGES } from "./hold-room.ts";
import { FILE_CHANGES } from "./add-file.ts";
import { REMOVAL_CHANGES } from "./operator-removals.ts";
import { PACKAGE_CHANGES } from "./package-changes.ts";
import { INSERT_CHANGES } from "./package-insert.ts";
import { KEY_DECISIONS } from "./registration-keys.ts";
import { REQUEST_CHANGES } from "./pairing-requests.ts";
import { KEY_CHANGES } from "./sound-keys.ts";
import { UNPAIR_CHANGES } from "./unpair.ts";
import { UPKEEP_CHANGES } from "./upkeep.ts";
import type { Work } from "./statement.ts";

/** Every change of the records, by name. */
export const CHANGES = {
  ...CODE_CHANGES,
  ...COPY_CHANGES,
  ...DECISION_CHANGES,
  ...DEVICE_CHANGES,
  ...EXPIRY_CHANGES,
  ...FILE_CHANGES,
  ...ROOM_CHANGES,
  ...REMOVAL_CHANGES,
  ...PACKAGE_CHANGES,
  ...QUOTA_CHANGES,
  ...INSERT_CHANGES,
  ...REQUEST_CHANGES,
  ...KEY_CHANGES,
  ...KEY_DECISIONS,
  ...UNPAIR_CHANGES,
  ...UPKEEP_CHANGES,
};

export type ChangeName = keyof typeof CHANGES;
export type ChangeArgument<Name extends ChangeName> = Parameters<(typeof CHANGES)[Name]["run"]>[0];
export type ChangeResult<Name extends ChangeName> =
  ReturnType<(typeof CHANGES)[Name]["run"]> extends Work<infer Result> ? Result : never;

/** Returns a change by its name. */
export function changeOf<Name extends ChangeName>(
  name: Name,
): Change<ChangeArgument<Name>, ChangeResult<Name>> {
  const found: unknown = CHANGES[name];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- argument and result are taken from this very change
  return found as Change<ChangeArgument<Name>, ChangeResult<Name>>;
}
