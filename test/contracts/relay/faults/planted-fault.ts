import type { RecordStore, RelayClock } from "../../../../relay/domain/ports.ts";
import type { MakeStore, StoreUnderTest } from "../contract.ts";
import type { NotifyingProcess } from "../notifier/notifier-contract.ts";
import type { MakeSoundStore } from "../sounds/sounds-case.ts";

/** The makers of empty stores, for each port. */
export interface StoreMakers {
  readonly records: MakeStore<RecordStore>;
  readonly sounds: MakeSoundStore;
  readonly notifier: MakeStore<NotifyingProcess>;
  readonly clock: MakeStore<RelayClock>;
}

export type FaultyPort = keyof StoreMakers;

/** One way to break any store behind a port. */
export interface FaultOf<Port extends FaultyPort> {
  readonly name: string;
  readonly port: Port;
  /** The store's mistake. */
  readonly does: string;
  /** Titles of the cases that name the broken promise. Each of them must notice. */
  readonly caughtBy: readonly string[];
  /** Makes the same stores, with the fault. */
  readonly plant: (make: StoreMakers[Port]) => StoreMakers[Port];
}

/** One way to break any store behind one of the ports. */
export type PlantedFault = { [Port in FaultyPort]: FaultOf<Port> }[FaultyPort];

/** Replaces some members of a store or a port. All others work as before. */
export function replacing<Port extends object>(port: Port, replaced: Partial<Port>): Port {
  return new Proxy(port, {
    get: (target, name) => {
      const from: object = name in replaced ? replaced : target;
      const value: unknown = Reflect.get(from, name, from);
      return typeof value === "function" ? value.bind(from) : value;
    },
  });
}

/** Returns the `open` of a store in which members of each instance are replaced. */
export function opening<Instance extends object>(
  under: StoreUnderTest<Instance>,
  replaced: (instance: Instance) => Partial<Instance & AsyncDisposable>,
): () => Promise<Instance & AsyncDisposable> {
  return async () => {
    const instance = await under.open();
    return replacing(instance, replaced(instance));
  };
}

/** Plants a fault into records. `start` runs once for each store: all instances share what it keeps. */
export function inRecords(
  start: () => (records: RecordStore) => Partial<RecordStore>,
): FaultOf<"records">["plant"] {
  return (make) => async () => {
    const under = await make();
    return replacing(under, { open: opening(under, start()) });
  };
}
