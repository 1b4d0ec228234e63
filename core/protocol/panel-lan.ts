/** The relay's addresses in the local network, and the switch for them (`PUT /control/lan`). */
export interface PanelLan {
  /** True while the relay listens, or tries to listen, for devices in the local network. */
  readonly isOn: boolean;
  /** True if the next start switches it on again; else it ends with the program. */
  readonly keepsOn: boolean;
  /** Base addresses, such as `http://192.168.1.20:4700`, the default route's network first; empty while it is off. */
  readonly addresses: readonly string[];
  /** The base address by name, such as `http://studio.local:4700`; null unless the name leads to this computer. */
  readonly nameAddress: string | null;
  /** True if another device has connected since it was switched on. */
  readonly hasVisitor: boolean;
  /** A sentence on why some address, or any, can't be used now; else null. */
  readonly trouble: string | null;
  /** A sentence if it can't be switched here, else null. */
  readonly fixedBecause: string | null;
}

/** The switch without what a person chose for later. */
export type LanState = Omit<PanelLan, "keepsOn">;

/** The switch before anybody touched it. */
export const LAN_OFF: LanState = {
  isOn: false,
  addresses: [],
  nameAddress: null,
  hasVisitor: false,
  trouble: null,
  fixedBecause: null,
};

/** A person's choice about devices in the local network. */
export type LanChoice = Pick<PanelLan, "isOn" | "keepsOn">;
