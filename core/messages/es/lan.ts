import type { LAN_TEXTS as ENGLISH } from "../en/lan.ts";
import type { Translated } from "../message.ts";

export const LAN_TEXTS: Translated<typeof ENGLISH> = {
  "run.LAN_ABSENT":
    "Ahora mismo este ordenador no está en ninguna red privada. Conéctalo a tu wifi.",
  "run.LAN_PORT_TAKEN":
    "Otro programa usa el puerto {port} en {address}. Ciérralo o elige otro puerto.",
  "run.LAN_REFUSED":
    "Este ordenador no deja que Soundferry reciba conexiones en {address} ({status}).",
  "run.LAN_SET": "El relay escucha en {address} porque así lo indica --host.",
};
