import { ClientError } from "../../../client/wire/client-error.ts";
import type { SoundferryClient } from "../../../client/soundferry-client.ts";
import { commandLine } from "../../command.ts";
import { Failure, WrongUse } from "../../fail.ts";
import type { Output } from "../../output.ts";

/** After this long, the relay waits for a yes (rule P12). */
const SLOW_MS = 3000;
const ALLOW_IT = `Now allow it on the other computer, in the panel or with ${commandLine(["importer", "allow"])}.`;

/**
 * Pairs with the code if there is one, otherwise checks that the stored token works.
 * @throws {WrongUse} if there is neither
 */
export async function ensurePaired(
  client: SoundferryClient,
  code: string | undefined,
  output: Output,
): Promise<void> {
  if (code !== undefined) return pair(client, code, output);
  try {
    const { device_name } = await client.me();
    output.say(`Sending to ${device_name}.`);
  } catch (error) {
    if (!(error instanceof ClientError && error.status === 401)) throw error;
    throw new WrongUse(`${error.message} Add --code with the code shown by the importer.`);
  }
}

async function pair(client: SoundferryClient, code: string, output: Output): Promise<void> {
  const asking = setTimeout(() => output.say(ALLOW_IT), SLOW_MS);
  try {
    const { device_name } = await client.pair(code).finally(() => clearTimeout(asking));
    output.say(`Paired with ${device_name}.`);
  } catch (error) {
    if (!(error instanceof ClientError && error.status === 404)) throw error;
    // The same command run twice: its code is used up but no longer needed.
    const paired = await client.me().catch(() => undefined);
    if (paired === undefined) throw error;
    const { message: sentence } = error;
    throw new Failure(`${sentence} To send to ${paired.device_name} again, leave --code out.`);
  }
}
