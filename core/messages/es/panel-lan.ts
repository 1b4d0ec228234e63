import type { PANEL_LAN as ENGLISH } from "../en/panel-lan.ts";
import type { Translated } from "../message.ts";

export const PANEL_LAN: Translated<typeof ENGLISH> = {
  "panel.lan": "Dispositivos de esta red",
  "panel.lan-switch": "Permitir que envíen los dispositivos de esta red",
  "panel.lan-http":
    "Esto es http, sin cifrado: otros en esta red podrían escuchar o cambiar lo que envías, o enviar en tu nombre, así que úsalo solo donde confíes en todos.",
  "panel.lan-keep": "Dejar activado",
  "panel.lan-keep-else": "Si no, termina al cerrar Soundferry.",
  "panel.lan-off":
    "Para un teléfono: activa esta opción y arriba aparecerá un código QR para escanear.",
  "panel.lan-scan": "Escanea el código QR con un teléfono o abre en él esta dirección:",
  "panel.lan-name": "También: {address}",
  "panel.lan-choose": "Red",
  "panel.lan-nobody": "Aún no se ha conectado ningún dispositivo. Las causas habituales:",
  "panel.lan-firewall":
    "El cortafuegos de este ordenador lo bloquea. Windows pregunta solo una vez; después, permítelo en los ajustes del cortafuegos.",
  "panel.lan-guest": "El teléfono está en una wifi de invitados, que aísla los dispositivos.",
  "panel.lan-other": "El teléfono está en otra red o usa datos móviles.",
  "panel.lan-asks": "{app} quiere vincularse.",
  "panel.lan-asks-only-if": "Permítelo solo si acabas de escanear el código.",
};
