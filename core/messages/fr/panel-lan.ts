import type { PANEL_LAN as ENGLISH } from "../en/panel-lan.ts";
import type { Translated } from "../message.ts";

export const PANEL_LAN: Translated<typeof ENGLISH> = {
  "panel.lan": "Appareils de ce réseau",
  "panel.lan-switch": "Laisser les appareils de ce réseau envoyer",
  "panel.lan-http":
    "C’est du http, sans chiffrement : d’autres sur ce réseau pourraient écouter ou modifier ce que tu envoies, ou envoyer en ton nom, alors ne l’utilise que là où tu fais confiance à tout le monde.",
  "panel.lan-keep": "Laisser activé",
  "panel.lan-keep-else": "Sinon, cela s’arrête avec Soundferry.",
  "panel.lan-off":
    "Pour un téléphone : active cette option, et un code QR à scanner apparaît plus haut.",
  "panel.lan-scan":
    "Scanne le code QR avec un téléphone, ou ouvre cette adresse dans son navigateur :",
  "panel.lan-name": "Ou bien : {address}",
  "panel.lan-choose": "Réseau",
  "panel.lan-nobody": "Aucun appareil ne s’est encore connecté. Les causes habituelles :",
  "panel.lan-firewall":
    "Le pare-feu de cet ordinateur bloque la connexion. Windows ne demande qu’une fois, ensuite autorise-la dans les réglages du pare-feu.",
  "panel.lan-guest": "Le téléphone est sur un Wi-Fi invité, qui isole les appareils.",
  "panel.lan-other": "Le téléphone est sur un autre réseau ou utilise les données mobiles.",
  "panel.lan-asks": "{app} veut s’associer.",
  "panel.lan-asks-only-if": "N’autorise que si tu viens de scanner le code.",
};
