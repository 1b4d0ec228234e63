import { ImportRuns, type ImportRunsDeps } from "../../../addon/runs/import-runs.ts";
import { StateStore } from "../../../addon/state/state-store.ts";
import { ImportSite } from "./import-site.ts";

/** The state of an importer without a relay that has done nothing yet. */
export function newStore(): StateStore {
  return new StateStore({
    soundsFolder: {
      path: "~/Music/Soundferry",
      isInLibrary: false,
      because: null,
      fixedBecause: null,
    },
    deviceName: "Studio",
    connection: { relayUrl: null, suggestedRelayUrl: "", fixedBecause: null },
    host: { name: "preview", label: "Preview" },
    finished: [],
  });
}

/** Runs of packages that a test has found itself. */
export function newRuns(options: Partial<ImportRunsDeps> = {}): ImportRuns {
  const notAsked = () => Promise.reject(new Error("A test finds its packages and hosts itself."));
  return new ImportRuns({
    store: newStore(),
    finder: { find: notAsked },
    hosts: { own: [] },
    host: { open: notAsked },
    undismiss: async () => undefined,
    importDeps: new ImportSite("nowhere").deps(),
    now: () => Date.UTC(2026, 10, 21),
    ...options,
  });
}
