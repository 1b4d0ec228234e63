import { useEffect, useState } from "preact/hooks";
import type { PanelState } from "../../core/protocol/panel-api.ts";

/** What fills the page before its first package. */
export interface FirstStep {
  readonly name: "relay" | "pairing" | null;
  readonly end: () => void;
}

/**
 * Decides which step fills the page. It is chosen once the importer has read what there is, goes on from the
 * relay's address to the pairing code, and ends only with a click (rule N14).
 */
export function useFirstStep(state: PanelState | null): FirstStep {
  const [name, setName] = useState<FirstStep["name"] | "unknown">("unknown");
  useEffect(() => {
    if (state === null || (state.isReading && isEmpty(state))) return;
    if (name === "unknown") setName(firstStepOf(state));
    else if (name === "relay" && state.connection.relayUrl !== null && !state.isReading) {
      setName(state.apps.length === 0 ? "pairing" : null);
    }
  }, [state, name]);
  return { name: name === "unknown" ? null : name, end: () => setName(null) };
}

function isEmpty({ apps, packages, runs }: PanelState): boolean {
  return apps.length === 0 && packages.length === 0 && runs.length === 0;
}

function firstStepOf({ connection, apps, packages, runs }: PanelState): FirstStep["name"] {
  if (packages.length > 0 || runs.length > 0) return null;
  if (connection.relayUrl === null) return "relay";
  return apps.length === 0 ? "pairing" : null;
}
