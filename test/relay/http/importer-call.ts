import type { RunningRelay } from "../running-relay.ts";

/** An importer's calls on one package. */
export function importerCall(relay: RunningRelay, token: string, id: string) {
  return {
    take: (body: object = {}) =>
      relay.call("POST", `/importer/packages/${id}/take`, { token, body }),
    report: (results: object) =>
      relay.call("POST", `/importer/packages/${id}/results`, { token, body: { results } }),
    list: async () => (await relay.call("GET", "/importer/packages", { token })).json.packages,
  };
}
