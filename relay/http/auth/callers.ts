import type { IncomingMessage } from "node:http";
import { isProven } from "../../../core/quotas/budgets.ts";
import { callingApp, callingImporter, type Caller, strangerAt } from "../../domain/caller.ts";
import type { KnownApp } from "../../domain/pairing/known-tokens.ts";
import type { DeviceRecord } from "../../domain/ports.ts";

/** Whose token a call has. */
type Authorized =
  | { readonly app: KnownApp; readonly device?: undefined }
  | { readonly device: DeviceRecord; readonly app?: undefined };

const AUTHORIZED = Symbol("authorized");

/** A property, not a WeakMap: that would keep every call's memory until the next full collection. */
type Call = IncomingMessage & { [AUTHORIZED]?: Authorized };

/** Remembers whose call it is. Budgets ask only for some calls, so nothing is worked out yet. */
export function noteCaller(request: Call, who: Authorized): void {
  request[AUTHORIZED] = who;
}

/** The ids of whose token it has. */
export function idsOf(request: Call): { readonly device?: string; readonly app?: string } {
  const who = request[AUTHORIZED];
  if (who === undefined) return {};
  if (who.app === undefined) return { device: who.device.deviceId };
  return { device: who.app.deviceId, app: who.app.pairingId };
}

/** Whether it has the token of a proven device (rule L7). */
export function isOfProven(request: Call): boolean {
  const who = request[AUTHORIZED];
  return isProven((who?.app ?? who?.device)?.imports);
}

/** Who makes a call, as budgets count it; a stranger until its token was checked. */
export function callerOf({ raw, ip }: { readonly raw: Call; readonly ip: string }): Caller {
  const who = raw[AUTHORIZED];
  if (who === undefined) return strangerAt(ip);
  return who.app === undefined ? callingImporter(who.device, ip) : callingApp(who.app, ip);
}
