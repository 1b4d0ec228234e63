import { refuseWithdraw } from "../../../core/protocol/package-state.ts";
import { findOwnPackage } from "./update-package.ts";
import type { Context } from "../context.ts";
import { dropPackage } from "./drop-package.ts";
import type { Owner } from "../ports.ts";

/**
 * Withdraws a package that is not in the host yet (rule S6). Of a concurrent take and withdrawal, one wins.
 * @throws {Refusal} 409 PACKAGE_TAKEN or PACKAGE_IMPORTED, 404 PACKAGE_UNKNOWN
 */
export async function withdraw(context: Context, owner: Owner, packageId: string): Promise<void> {
  for (;;) {
    const record = await findOwnPackage(context, owner, packageId);
    const refused = refuseWithdraw(record.life, context.clock.now(), context.policy.leaseMs);
    if (refused !== undefined) throw refused;
    if (await dropPackage(context, record)) return;
  }
}
