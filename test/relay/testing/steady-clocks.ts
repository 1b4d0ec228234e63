import type { RelayClock } from "../../../relay/domain/ports.ts";
import { SteadyClock } from "../../../relay/storage/steady-clock.ts";
import type { StoreUnderTest } from "../../contracts/relay/index.ts";

/** The machine's clock, as each process follows it. */
export async function makeSteadyClocks(): Promise<StoreUnderTest<RelayClock>> {
  const sources = { wall: () => Date.now(), monotonic: () => performance.now() };
  return {
    open: async () =>
      Object.assign(new SteadyClock(sources), { [Symbol.asyncDispose]: async () => {} }),
    [Symbol.asyncDispose]: async () => {},
  };
}
