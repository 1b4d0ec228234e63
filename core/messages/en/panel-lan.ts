/** The panel’s switch for devices in the local network, and what it shows while that is on. */
export const PANEL_LAN = {
  "panel.lan": "Devices in this network",
  "panel.lan-switch": "Let devices in this network send",
  "panel.lan-http":
    "This is http, without encryption: others in this network could hear or change what you send, or send in your name, so use it only where you trust everyone.",
  "panel.lan-keep": "Keep on",
  "panel.lan-keep-else": "Otherwise it ends with Soundferry.",
  "panel.lan-off": "For a phone: switch this on, and a QR code to scan appears above.",
  "panel.lan-scan": "Scan the QR code with a phone, or open this address there:",
  "panel.lan-name": "Also: {address}",
  "panel.lan-choose": "Network",
  "panel.lan-nobody": "No device has come yet. The usual causes:",
  "panel.lan-firewall":
    "This computer’s firewall blocks it. Windows asks only once; later, allow it in the firewall’s settings.",
  "panel.lan-guest": "The phone is in a guest Wi-Fi, which keeps devices apart.",
  "panel.lan-other": "The phone is in another network, or uses mobile data.",
  "panel.lan-asks": "{app} wants to pair.",
  "panel.lan-asks-only-if": "Allow only if you scanned just now.",
} as const;
