import { isJsonObject } from "../../core/text/json-object.ts";
import { type Answer, isSuccess } from "./answer.ts";
import { partOf } from "./assert.ts";
import { Inconclusive, NoRelay } from "./assertion-failure.ts";
import type { Kit, TestApp } from "./kit.ts";

const HELLO = "/importer/hello";
/** A relay answers hello at once; an address that is silent is no relay. */
const HELLO_MS = 10_000;

/**
 * Looks whether a relay answers, and one that this run can check.
 * @returns the version that the relay names, if it names one
 * @throws {NoRelay} with a sentence on what is there instead
 * @throws {Inconclusive} when nothing answers
 */
export async function findRelay(kit: Kit): Promise<string | undefined> {
  const { wire, hasImporter } = kit;
  const deadlineMs = Math.min(HELLO_MS, wire.answerMs);
  const hello = await wire.call("GET", HELLO, { maxAnswerBytes: 65_536, deadlineMs });
  const version = partOf(hello.json, "version");
  if (!hasImporter) await findApp(kit);
  else if (!isGreeting(hello)) await explain(kit, hello);
  return typeof version === "string" ? version : undefined;
}

/** A run that was given an app needs no more than that app. */
async function findApp(kit: Kit): Promise<void> {
  const app = await kit.app().catch((error: unknown) => {
    if (error instanceof Inconclusive) throw new NoRelay(`No app can be paired: ${error.message}`);
    throw error;
  });
  const token = tokenOf(app);
  const me = await kit.call("GET", "/app/me", { token });
  if (!isRefusal(me) && !isOfApp(me)) throw new NoRelay(describe(kit, me));
  if (me.status === 401 && token !== undefined) {
    throw new NoRelay("The relay doesn't know this token. Pair again, and give the new one.");
  }
}

/** The app's token; undefined if its claim was answered without one, which the check of the claim judges. */
function tokenOf(app: TestApp): string | undefined {
  try {
    return app.token;
  } catch (error) {
    if (error instanceof Inconclusive) return undefined;
    throw error;
  }
}

/** An address that doesn't greet as a relay may still be one that breaks this rule. */
async function explain(kit: Kit, hello: Answer): Promise<void> {
  const me = await kit.wire.call("GET", "/app/me", { maxAnswerBytes: 65_536 });
  if (!isRefusal(me)) throw new NoRelay(describe(kit, hello));
  if (hello.status !== 404) return;
  throw new NoRelay(
    `${kit.wire.baseUrl} has no importer's API. Check what apps use: --only public with --code or --token.`,
  );
}

/** A success with something that only a relay says. */
function isGreeting({ status, json }: Answer): boolean {
  const says =
    partOf(json, "service") === "soundferry" || Array.isArray(partOf(json, "importer_api"));
  return isSuccess(status) && says;
}

/** An answer about an app, even if its members have other names. */
function isOfApp({ status, json }: Answer): boolean {
  const names = isJsonObject(json) ? Object.keys(json) : [];
  return isSuccess(status) && names.some((name) => /device|paired|app_?name/i.test(name));
}

/** A refusal as the public specification has it, of an address that is there. */
function isRefusal({ status, json }: Answer): boolean {
  return status >= 400 && status !== 404 && typeof partOf(json, "error") === "string";
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
