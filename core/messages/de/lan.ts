import type { LAN_TEXTS as ENGLISH } from "../en/lan.ts";
import type { Translated } from "../message.ts";

export const LAN_TEXTS: Translated<typeof ENGLISH> = {
  "run.LAN_ABSENT":
    "Dieser Computer ist gerade in keinem privaten Netzwerk. Verbinde ihn mit deinem WLAN.",
  "run.LAN_PORT_TAKEN":
    "Ein anderes Programm benutzt Port {port} auf {address}. Beende es oder wähle einen anderen Port.",
  "run.LAN_REFUSED":
    "Dieser Computer lässt Soundferry auf {address} keine Verbindungen annehmen ({status}).",
  "run.LAN_SET": "Das Relay ist unter {address} erreichbar, weil --host es so festlegt.",
};
