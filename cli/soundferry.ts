import module from "node:module";

// Caches compiled modules in the temporary folder, which halves the start-up time.
module.enableCompileCache();
const { runCommand } = await import("./run-command.ts");
await runCommand(process.argv.slice(2));
