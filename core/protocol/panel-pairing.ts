export interface PanelPairing {
  /** Six symbols without a space; null if no code is valid now. */
  readonly code: string | null;
  readonly expiresInSeconds: number | null;
  /** The app that used the last code, while it is paired; `apps` has the rest of it. */
  readonly usedBy: { readonly name: string; readonly pairingId: string } | null;
  /** The app that has claimed the code; `PUT /control/pairing-request` answers whether it may pair (rule P12). */
  readonly request?: PanelPairingRequest;
  /** The reason why the last code ended early: a second address claimed it, or somebody said no. */
  readonly ended?: "second-address" | "denied";
}

export interface PanelPairingRequest {
  readonly requestId: string;
  /** The app's name. */
  readonly name: string;
  /** The browser, as in `PanelApp`. */
  readonly browser: string | null;
  /** The app's rough network, such as `203.0.113.0/24`; null on the relay's own computer. */
  readonly network: string | null;
}
