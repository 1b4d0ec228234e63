import { StateStore } from "../../../addon/state/state-store.ts";

/** The state of an importer without a relay that has done nothing yet. */
export function newStore(): StateStore {
  return new StateStore({
    deviceName: "Studio",
    connection: { relayUrl: null, suggestedRelayUrl: "", fixedBecause: null },
    host: { name: "preview", label: "Preview" },
    finished: [],
  });
}
