// What `npm run build:live` puts into the bundle.
declare module "soundferry:built-in" {
  /** The panel's page, all of it. */
  export const panelPage: string;
  /** What the panel's address field is filled with at the first run (`--relay`); empty where the build names no relay. */
  export const suggestedRelayUrl: string;
}
