import { onTestFinished } from "vitest";
import { RelayIdentity } from "../../../addon/relay/relay-identity.ts";
import type { IdentityEntry } from "../../../addon/state/identity-entries.ts";
import type { IdentityStore } from "../../../addon/state/stored-settings.ts";
import {
  HttpConnection,
  type HttpConnectionOptions,
} from "../../../addon/relay/http-connection.ts";
import { registerImporter, SpokenApi } from "../../../addon/relay/open-calls.ts";
import { RelayClient } from "../../../addon/relay/relay-client.ts";
import { offerPackage } from "./packages-to-import.ts";
import { StandInRelay } from "./stand-in-relay.ts";

/** A stand-in that is stopped when the test is over. @param packages offered in this order: one-shots' names by id */
export async function startStandIn(
  packages: Readonly<Record<string, readonly string[]>> = {},
): Promise<StandInRelay> {
  const relay = await StandInRelay.start();
  onTestFinished(() => relay.stop());
  for (const [id, names] of Object.entries(packages)) offerPackage(relay, id, names);
  return relay;
}

/** Connects a client like the importer's, with identities in memory. */
export function linkTo(
  url: string,
  more: Partial<HttpConnectionOptions> & { readonly registrationKey?: string } = {},
) {
  const api = new SpokenApi();
  const http = new HttpConnection({
    baseUrl: url,
    headers: api.headers,
    hello: (over) => api.hello(http, over),
    ...more,
  });
  onTestFinished(() => http.close());
  const identity = new RelayIdentity({
    relayUrl: url,
    store: identitiesInMemory(),
    deviceName: "Studio",
    hello: () => api.hello(http),
    register: async (deviceName, instance) => {
      const { registrationKey } = more;
      const answer = await registerImporter(http, { deviceName, registrationKey, instance });
      return { deviceId: answer.device_id, importerToken: answer.importer_token };
    },
    onChange: () => {},
  });
  const pauses: number[] = [];
  const client = new RelayClient(http, identity, async (seconds) => pauses.push(seconds));
  return { http, identity, client, pauses };
}

export function identitiesInMemory(entries: readonly IdentityEntry[] = []): IdentityStore {
  let kept = entries;
  return {
    identities: () => kept,
    storeIdentities: (changed) => {
      kept = changed;
    },
  };
}
