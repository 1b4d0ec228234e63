import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import type { Context } from "../domain/context.ts";
import { toRefusal } from "./answer-refusal.ts";
import { loggedPath } from "./call-log.ts";
import { endWithRefusal } from "./end-with-refusal.ts";

/** Returns a function that answers a connection that becomes no socket, and logs why. */
export function refuseUpgrades(
  { meter }: Context,
  { log, nextRequestId }: { readonly log: Logger; readonly nextRequestId: () => string },
): (connection: Duplex, path: string, error: unknown) => void {
  return (connection, path, error) => {
    const refused = toRefusal(error);
    meter.refused(refused.code);
    const id = nextRequestId();
    const call = { request_id: id, path: loggedPath(path), status: refused.status };
    if (refused.status < 500) log.info(call, "refused upgrade");
    else log.error({ ...call, err: error }, "trouble");
    endWithRefusal(connection, refused, { "x-request-id": id });
  };
}
