import { sharedPostgres, sharedSwift } from "../../engines/shared-engines.ts";
import { relayWithSounds } from "./backed-up-relay.ts";

/** A relay with sounds on a database and a bucket of its own. */
export async function relayOnPostgres() {
  const swift = sharedSwift();
  const environment = {
    SOUNDFERRY_DATABASE_URL: await sharedPostgres().createDatabase(),
    ...swift.settingsOf(await swift.createBucket()),
  };
  return { ...(await relayWithSounds(environment)), environment };
}
