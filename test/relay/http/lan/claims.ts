import { soon } from "../../../sim/soon.ts";
import { fetchAnswer } from "../../../sim/world.ts";
import { type LanRelay, relayInLan } from "./lan-relay.ts";

/** Claims a code as a phone does. */
export function claim(
  url: string,
  code: string,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
) {
  const body = { code, app_name: "Ada's phone", app_id: "phone" };
  return fetchAnswer(`${url}/pair/claim`, {
    method: "POST",
    body,
    headers,
    ...(signal && { signal }),
  });
}

/** A relay in a local network, with a computer that shows a code. */
export async function withCode(settings: Record<string, string> = {}, consentWaitMs = 20_000) {
  const made = await relayInLan(settings, { consentWaitMs });
  const { token } = await made.relay.register();
  const { json } = await made.relay.call("POST", "/importer/pairing-code", { token });
  return { ...made, token, code: String(json.code) };
}

/** Answers the phone that waits. Returns the network that the panel shows. */
export async function answerAsked(
  { relay, token }: Pick<LanRelay, "relay"> & { readonly token: string },
  answer: "allow" | "deny",
) {
  const read = async () => (await relay.call("GET", "/importer/pairing-request", { token })).json;
  await soon(async () => (await read()).request?.app_name).toBe("Ada's phone");
  const { request_id, network } = (await read()).request;
  await relay.call("POST", "/importer/pairing-request", { token, body: { request_id, answer } });
  return network;
}
