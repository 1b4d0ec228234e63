import type { RelayClock } from "../../../relay/domain/ports.ts";
import { CLOCK_PROMISES } from "./clock-promises.ts";
import type { ContractCase, MakeStore, WaitOptions } from "./contract.ts";
import { eventuallyWithin } from "./eventually.ts";

/** What a `RelayClock` promises, in one process and in two on one store (rule J3). */
export function clockContract(
  make: MakeStore<RelayClock>,
  options: WaitOptions = {},
): readonly ContractCase[] {
  return CLOCK_PROMISES.map(({ title, run }) => ({
    title: `[J3] ${title}`,
    run: async () => {
      await using under = await make();
      await run(await under.open(), await under.open(), eventuallyWithin(options));
    },
  }));
}
