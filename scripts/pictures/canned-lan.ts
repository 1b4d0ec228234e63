import { lanSentence } from "../../core/protocol/lan-sentences.ts";
import type { PanelLan, PanelState } from "../../core/protocol/panel-api.ts";
import type { CannedScene } from "./canned-package.ts";

/** The switch for devices in the local network as it is at first. */
export const LAN_OFF: PanelLan = {
  isOn: false,
  keepsOn: false,
  addresses: [],
  nameAddress: null,
  hasVisitor: false,
  trouble: null,
  fixedBecause: null,
};

/** The switch on, in one network. */
export const LAN_ON: PanelLan = { ...LAN_OFF, isOn: true, addresses: ["http://192.168.1.20:4700"] };

/** The switch on, in two networks, with a name and a trouble. */
export const LAN_BUSY: PanelLan = {
  ...LAN_ON,
  keepsOn: true,
  addresses: [
    "http://192.168.1.20:4700",
    "http://172.20.10.2:4700",
    "http://[fd12:3456:789a:bcde:f012:3456:789a:bcde]:4700",
  ],
  nameAddress: "http://studio-mac.local:4700",
  trouble: lanSentence("LAN_PORT_TAKEN", { port: "4700", address: "10.0.0.7" }),
};

/** Returns the scenes of the pairing step at a relay on this computer, before and after a phone came. */
export function lanScenes(fresh: PanelState, paired: PanelState): readonly CannedScene[] {
  const here: PanelState = {
    ...fresh,
    connection: { ...fresh.connection, relayUrl: "http://127.0.0.1:4700" },
  };
  const scene = (name: string, state: Partial<PanelState>): CannedScene => ({
    name,
    state: { ...here, ...state },
    packages: [],
  });
  const request = { requestId: "req_2", name: "Ada’s phone", network: "192.168.1.0/24" };
  return [
    scene("lan-off", { lan: LAN_OFF }),
    scene("lan-on", { lan: LAN_ON }),
    scene("lan-busy", { lan: LAN_BUSY }),
    scene("lan-asks", { lan: LAN_ON, pairing: { ...here.pairing, request } }),
    { ...scene("lan-settings", { apps: paired.apps, lan: LAN_ON }), click: "Settings" },
    {
      ...scene("lan-fixed", {
        apps: paired.apps,
        lan: { ...LAN_ON, fixedBecause: lanSentence("LAN_SET", { address: "0.0.0.0" }) },
      }),
      click: "Pair another app",
    },
  ];
}
