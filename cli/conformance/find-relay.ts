import { isJsonObject } from "../../core/text/json-object.ts";
import type { Answer } from "./answer.ts";
import { partOf } from "./assert.ts";
import { Inconclusive, NoRelay } from "./assertion-failure.ts";
import type { Kit } from "./kit.ts";

const HELLO = "/importer/hello";

/**
 * Looks whether a relay answers, and one that this run can check.
 * @returns the version that the relay names, if it names one
 * @throws {NoRelay} with a sentence on what is there instead
 * @throws {Inconclusive} when nothing answers
 */
export async function findRelay(kit: Kit): Promise<string | undefined> {
  const { wire, hasImporter } = kit;
  const hello = await wire.call("GET", HELLO, { maxAnswerBytes: 65_536 });
  const version = partOf(hello.json, "version");
  if (!hasImporter) await findApp(kit);
  else if (!isOfRelay(hello) || hello.status === 404) await explain(kit, hello);
  return typeof version === "string" ? version : undefined;
}

/** A run that was given an app needs no more than that app. */
async function findApp(kit: Kit): Promise<void> {
  const { token } = await kit.app().catch((error: unknown) => {
    if (error instanceof Inconclusive) throw new NoRelay(`No app can be paired: ${error.message}`);
    throw error;
  });
  const me = await kit.call("GET", "/app/me", { token });
  if (!isOfRelay(me)) throw new NoRelay(describe(kit, me));
  if (me.status === 401) {
    throw new NoRelay("The relay doesn't know this token. Pair again, and give the new one.");
  }
}

/** An address that doesn't greet as a relay may still be one that breaks this rule. */
async function explain(kit: Kit, hello: Answer): Promise<void> {
  const me = await kit.wire.call("GET", "/app/me", { maxAnswerBytes: 65_536 });
  if (!isOfRelay(me)) throw new NoRelay(describe(kit, hello));
  if (hello.status !== 404) return;
  throw new NoRelay(
    `${kit.wire.baseUrl} has no importer's API. Check what apps use: --only public with --code or --token.`,
  );
}

/** A success or a refusal as the public specification has it. */
function isOfRelay({ status, json }: Answer): boolean {
  if (!isJsonObject(json)) return false;
  return (status >= 200 && status < 300) || typeof json["error"] === "string";
}

function describe({ wire }: Kit, { status, headers }: Answer): string {
  const { location } = headers;
  if (
    status >= 300 &&
    status < 400 &&
    location !== undefined &&
    URL.canParse(location, wire.baseUrl)
  ) {
    return `${wire.baseUrl} redirects to ${new URL(location, wire.baseUrl).href}. Use that address.`;
  }
  return `The server at ${wire.baseUrl} is not a relay: it answers ${status} without a relay's JSON.`;
}
