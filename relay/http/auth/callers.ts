import type { IncomingMessage } from "node:http";
import { isProven } from "../../../core/quotas/is-proven.ts";
import { callingApp, callingImporter, type Caller, strangerAt } from "../../domain/caller.ts";
import type { KnownApp } from "../../domain/known-tokens.ts";
import type { DeviceRecord } from "../../domain/ports.ts";

/** Whose token a call has. */
type Authorized =
  | { readonly app: KnownApp; readonly device?: undefined }
  | { readonly device: DeviceRecord; readonly app?: undefined };

const authorized = new WeakMap<IncomingMessage, Authorized>();

/** Remembers whose call it is. Budgets ask only for some calls, so nothing is worked out yet. */
export function noteCaller(request: IncomingMessage, who: Authorized): void {
  authorized.set(request, who);
}

/** Whether it has the token of a proven device (rule L7). */
export function isOfProven(request: IncomingMessage): boolean {
  const who = authorized.get(request);
  return isProven((who?.app ?? who?.device)?.imports);
}

/** Who makes a call, as budgets count it; a stranger until its token was checked. */
export function callerOf({
  raw,
  ip,
}: {
  readonly raw: IncomingMessage;
  readonly ip: string;
}): Caller {
  const who = authorized.get(raw);
  if (who === undefined) return strangerAt(ip);
  return who.app === undefined ? callingImporter(who.device, ip) : callingApp(who.app, ip);
}
