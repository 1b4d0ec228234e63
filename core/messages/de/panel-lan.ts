import type { PANEL_LAN as ENGLISH } from "../en/panel-lan.ts";
import type { Translated } from "../message.ts";

export const PANEL_LAN: Translated<typeof ENGLISH> = {
  "panel.lan": "Geräte in diesem Netzwerk",
  "panel.lan-switch": "Geräte in diesem Netzwerk senden lassen",
  "panel.lan-http":
    "Das ist http, ohne Verschlüsselung: Andere in diesem Netzwerk könnten mithören, Gesendetes verändern oder in deinem Namen senden, also nutze es nur, wo du allen vertraust.",
  "panel.lan-keep": "Eingeschaltet lassen",
  "panel.lan-keep-else": "Sonst endet es mit Soundferry.",
  "panel.lan-off": "Fürs Telefon: Schalte es ein, dann erscheint oben ein QR-Code zum Scannen.",
  "panel.lan-scan": "Scanne den QR-Code mit einem Telefon oder öffne dort diese Adresse:",
  "panel.lan-name": "Oder: {address}",
  "panel.lan-choose": "Netzwerk",
  "panel.lan-nobody": "Noch hat sich kein Gerät gemeldet. Die üblichen Gründe:",
  "panel.lan-firewall":
    "Die Firewall dieses Computers blockiert es. Windows fragt nur einmal; erlaube es später in den Einstellungen der Firewall.",
  "panel.lan-guest": "Das Telefon ist in einem Gäste-WLAN, das Geräte voneinander trennt.",
  "panel.lan-other": "Das Telefon ist in einem anderen Netzwerk oder nutzt mobile Daten.",
  "panel.lan-asks": "{app} möchte sich koppeln.",
  "panel.lan-asks-only-if": "Erlaube es nur, wenn du gerade eben gescannt hast.",
};
