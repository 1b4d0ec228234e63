// Generated into the bundle by `npm run build:live`.
declare module "soundferry:built-in" {
  /** The panel's page as HTML. */
  export const panelPage: string;
  /** Prefills the panel's address field at first run (`--relay`); empty where the build names no relay. */
  export const suggestedRelayUrl: string;
}
