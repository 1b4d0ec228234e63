import { lanSentence } from "../../core/protocol/lan-sentences.ts";
import { LAN_OFF } from "../../core/protocol/panel-lan.ts";
import type { PanelLan, PanelState } from "../../core/protocol/panel-api.ts";
import type { CannedScene } from "./canned-package.ts";

/** The switch as it is at first. */
export const CANNED_LAN_OFF: PanelLan = { ...LAN_OFF, keepsOn: false };

/** The switch on, in one network. */
export const CANNED_LAN: PanelLan = {
  ...CANNED_LAN_OFF,
  isOn: true,
  addresses: ["http://192.168.1.20:4700"],
};

/** The switch on, in two networks, with a name and a trouble. */
export const CANNED_LAN_BUSY: PanelLan = {
  ...CANNED_LAN,
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
    scene("lan-off", { lan: CANNED_LAN_OFF }),
    scene("lan-on", { lan: CANNED_LAN }),
    scene("lan-busy", { lan: CANNED_LAN_BUSY }),
    scene("lan-asks", { lan: CANNED_LAN, pairing: { ...here.pairing, request } }),
    { ...scene("lan-settings", { apps: paired.apps, lan: CANNED_LAN }), click: "Settings" },
    {
      ...scene("lan-fixed", {
        apps: paired.apps,
        lan: { ...CANNED_LAN, fixedBecause: lanSentence("LAN_SET", { address: "0.0.0.0" }) },
      }),
      click: "Pair another app",
    },
  ];
}
