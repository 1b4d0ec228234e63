import { type StandInAnswer, startStandIn } from "./stand-in-relay.ts";

const CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Headers": "*, Authorization",
  "Access-Control-Allow-Methods": "*",
  "Access-Control-Expose-Headers": "Retry-After",
};

/** Formats bytes as code for a page. */
export function bytesCode(bytes: Uint8Array): string {
  return `new Uint8Array(${JSON.stringify([...bytes])})`;
}

/** Formats a client that is paired with a stand-in as code for a page. */
export function clientCode(port: number): string {
  return `new soundferry.SoundferryClient({
    relayUrl: "http://relay.example:${port}",
    tokenStore: new soundferry.MemoryTokenStore("sfa_x"),
  })`;
}

/** Starts a relay for pages of other origins that answers each call except preflights with `answer`. */
export async function startOpenStandIn(answer: () => StandInAnswer | Promise<StandInAnswer>) {
  const relay = await startStandIn(async ({ method }) => {
    if (method === "OPTIONS") return { status: 204, body: "", headers: CORS };
    const given = await answer();
    if (given === "hang up") return given;
    return { ...given, headers: { ...CORS, ...given.headers } };
  });
  return { ...relay, port: Number(new URL(relay.url).port) };
}
