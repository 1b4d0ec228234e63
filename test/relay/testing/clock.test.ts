import { test } from "vitest";
import { clockContract } from "../../contracts/relay/index.ts";
import { makeSteadyClocks } from "./steady-clocks.ts";

for (const { title, run } of clockContract(makeSteadyClocks)) test(title, run);
