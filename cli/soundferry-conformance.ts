import { VERSION } from "../core/version.ts";
import { conformanceCommand } from "./commands/conformance.ts";
import { runProgram } from "./run-program.ts";

// `soundferry conformance` as a program of its own, which scripts/packages/ bundles.

await runProgram(process.argv.slice(2), async () =>
  conformanceCommand("soundferry-conformance").version(VERSION),
);
