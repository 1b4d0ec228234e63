import { workerData } from "node:worker_threads";
import { installScript } from "../../../addon/live-setup/install-script.ts";
import { stubScript } from "./stub-script.ts";

// Installs and stops like a killed process before the given step; a run to the end has status 0.

const { library, folders, version, stopAt } = workerData;
let step = 0;
await installScript({
  library,
  folders,
  files: stubScript(version),
  onStep: () => {
    if (step++ === stopAt) process.exit(9);
  },
});
