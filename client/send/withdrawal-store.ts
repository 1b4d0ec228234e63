/** The ids of packages whose withdrawal the relay hasn't got yet. */
export interface WithdrawalStore {
  load(): Promise<readonly string[]>;
  add(packageId: string): Promise<void>;
  remove(packageId: string): Promise<void>;
}

/** Changes a list of package ids. */
export type ChangeIds = (packageIds: readonly string[]) => readonly string[];

/** A store on top of anything that can load and update a list. */
export function withdrawalStore(
  load: () => Promise<readonly string[]>,
  update: (change: ChangeIds) => Promise<void>,
): WithdrawalStore {
  return {
    load,
    add: (packageId) => update((packageIds) => [...without(packageIds, packageId), packageId]),
    remove: (packageId) => update((packageIds) => without(packageIds, packageId)),
  };
}

function without(packageIds: readonly string[], packageId: string): readonly string[] {
  return packageIds.filter((other) => other !== packageId);
}

/** Stores withdrawals for the life of the process or page. */
export function memoryWithdrawals(): WithdrawalStore {
  let packageIds: readonly string[] = [];
  return withdrawalStore(
    async () => packageIds,
    async (change) => {
      packageIds = change(packageIds);
    },
  );
}
