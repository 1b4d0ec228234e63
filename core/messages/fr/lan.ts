import type { LAN_TEXTS as ENGLISH } from "../en/lan.ts";
import type { Translated } from "../message.ts";

export const LAN_TEXTS: Translated<typeof ENGLISH> = {
  "run.LAN_ABSENT":
    "Cet ordinateur n’est actuellement sur aucun réseau privé. Connecte-le à ton Wi-Fi.",
  "run.LAN_PORT_TAKEN":
    "Un autre programme utilise le port {port} sur {address}. Quitte-le ou choisis un autre port.",
  "run.LAN_REFUSED":
    "Cet ordinateur ne laisse pas Soundferry recevoir de connexions sur {address} ({status}).",
  "run.LAN_SET": "Le relais écoute sur {address}, car --host en décide ainsi.",
};
