/**
 * One promise of a port, as a test. `run` rejects if the store breaks the promise. A case needs no test
 * framework: `for (const { title, run } of recordsContract(open)) test(title, run);`
 */
export interface ContractCase {
  /** Starts with the numbers of the rules that it proves, if there are some: `[P4] a code pairs once`. */
  readonly title: string;
  readonly run: () => Promise<void>;
}

/** A store of its own for one case. Disposing it also ends its instances. */
export interface StoreUnderTest<Instance> extends AsyncDisposable {
  /**
   * Opens an instance. Each one acts like a process of its own on the same store: a case opens one, or two, or
   * disposes the first and opens another, like a relay that restarts.
   */
  open(): Promise<Instance & AsyncDisposable>;
}

/** Makes an empty store for one case. */
export type MakeStore<Instance> = () => Promise<StoreUnderTest<Instance>>;

/** How long the cases of a suite wait. */
export interface WaitOptions {
  /** 15 s unless set. Any process should notice within a second, so this is for slow machines. */
  readonly patienceMs?: number;
}
