import { readLocalPackage } from "../../../addon/packages/local-package.ts";
import { ImportSite } from "./import-site.ts";

/** Runs in a process of its own: imports a local package, and is killed after the n-th call to the host. */
const [folder = "", packageFolder = "", call = ""] = process.argv.slice(2);
await new ImportSite(folder).import(await readLocalPackage(packageFolder), {
  faults: {
    stopAfterCall: Number(call),
    onStop: () => process.kill(process.pid, "SIGKILL"),
  },
});
