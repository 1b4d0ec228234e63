import { appWords, runCommand } from "../run-command.ts";

// The command as one executable with Node and all files inside; `npm run build:app` builds it.

await runCommand(appWords(process.argv.slice(2)));
