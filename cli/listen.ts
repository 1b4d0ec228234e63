import type { Relay } from "../relay/build-relay.ts";
import type { RelaySettings } from "../relay/settings.ts";
import { commandLine } from "./command.ts";
import { Failure } from "./fail.ts";

/** @throws {Failure} with a sentence if the port or the address can't be used */
export async function listen(
  relay: Relay,
  { host, port }: RelaySettings,
): Promise<Awaited<ReturnType<Relay["listen"]>>> {
  try {
    return await relay.listen();
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "EADDRINUSE") {
      const doctor = commandLine(["doctor"]);
      throw new Failure(
        `Port ${port} is in use. Choose another with --port (0 picks a free one); to see what uses it, run: ${doctor}`,
        { cause },
      );
    }
    if (code === "EACCES") {
      throw new Failure(`Port ${port} needs administrator rights. Choose one above 1023.`, {
        cause,
      });
    }
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
      throw new Failure(`${host} is not an address of this computer. Change --host.`, { cause });
    }
    throw cause;
  }
}
