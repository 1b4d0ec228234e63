import { setTimeout as sleep } from "node:timers/promises";

/** Lets real time pass: until a kill at a random moment, or while a part is away. Only simulations may wait so. */
export function letPass(ms: number): Promise<void> {
  return sleep(ms);
}
