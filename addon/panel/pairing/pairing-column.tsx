import type { VNode } from "preact";
import type { PanelState } from "../../../core/protocol/panel-api.ts";
import type { PanelView } from "../panel-store.ts";
import { AppList } from "./app-list.tsx";
import { PairingCard } from "./pairing-card.tsx";

interface PairingColumnProps {
  readonly view: PanelView;
  readonly state: PanelState;
}

/** Pairing and paired apps; nothing where no relay is set. */
export function PairingColumn({ view, state }: PairingColumnProps): VNode | null {
  const { connection, pairing, apps } = state;
  if (connection.relayUrl === null) return null;
  const canAsk = view.link === "live" && connection.status === "connected";
  return (
    <>
      <PairingCard
        pairing={pairing}
        app={apps.find(({ isNew, name }) => isNew && name === pairing.usedBy) ?? null}
        relayUrl={connection.relayUrl}
        readAtMs={view.readAtMs}
        canAsk={canAsk}
      />
      <AppList apps={apps} />
    </>
  );
}
