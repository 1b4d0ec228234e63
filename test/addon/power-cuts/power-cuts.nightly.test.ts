import { testCuts } from "./survive-cuts.ts";

testCuts("$title survives a power cut at every call", () => 1);
