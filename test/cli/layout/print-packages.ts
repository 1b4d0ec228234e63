import { findPackages } from "../../../cli/layout/find-packages.ts";

// Run by `find-packages.test.ts` in a process that can't read everything.
process.stdout.write(JSON.stringify(await findPackages(process.argv.slice(2))));
