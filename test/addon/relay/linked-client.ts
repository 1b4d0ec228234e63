import { onTestFinished } from "vitest";
import { RelayIdentity } from "../../../addon/relay/relay-identity.ts";
import type { Identity, IdentityStore } from "../../../addon/state/stored-settings.ts";
import {
  HttpConnection,
  type HttpConnectionOptions,
} from "../../../addon/relay/http-connection.ts";
import {
  IMPORTER_HEADERS,
  registerImporter,
  RelayClient,
} from "../../../addon/relay/relay-client.ts";
import { StandInRelay } from "./stand-in-relay.ts";

/** A stand-in that is stopped when the test is over. */
export async function startStandIn(): Promise<StandInRelay> {
  const relay = await StandInRelay.start();
  onTestFinished(() => relay.stop());
  return relay;
}

/** A client as the importer has it, with identities in memory. */
export function linkTo(
  url: string,
  more: Partial<HttpConnectionOptions> & { readonly registrationKey?: string } = {},
) {
  const http = new HttpConnection({ baseUrl: url, headers: IMPORTER_HEADERS, ...more });
  onTestFinished(() => http.close());
  let lost = 0;
  const identity = new RelayIdentity({
    relayUrl: url,
    store: identitiesInMemory(),
    deviceName: "Studio",
    register: async (deviceName) => {
      const { registrationKey } = more;
      const answer = await registerImporter(http, { deviceName, registrationKey });
      return { deviceId: answer.device_id, importerToken: answer.importer_token };
    },
    onLost: () => {
      lost += 1;
    },
  });
  const pauses: number[] = [];
  const client = new RelayClient(http, identity, async (seconds) => pauses.push(seconds));
  return { http, identity, client, pauses, timesLost: () => lost };
}

function identitiesInMemory(): IdentityStore {
  const kept = new Map<string, Identity>();
  return {
    findIdentity: (relayUrl) => kept.get(relayUrl),
    keepIdentity: (relayUrl, identity) => void kept.set(relayUrl, identity),
    forgetIdentity: (relayUrl) => void kept.delete(relayUrl),
  };
}
