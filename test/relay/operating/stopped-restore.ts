import files from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

// Restores in a process of its own, which kills itself right before one of the calls that change names.

const [backup = "", dataFolder = "", stopAt = ""] = process.argv.slice(2);
let calls = 0;

function stopping<Args extends unknown[], Result>(call: (...args: Args) => Result) {
  return (...args: Args): Result => {
    calls += 1;
    if (calls === Number(stopAt)) process.kill(process.pid, "SIGKILL");
    return call(...args);
  };
}

Object.assign(files, {
  rename: stopping(files.rename),
  rm: stopping(files.rm),
  mkdir: stopping(files.mkdir),
  copyFile: stopping(files.copyFile),
});
syncBuiltinESMExports();
const { restore } = await import("../../../relay/operating/restore.ts");
await restore({ backup, dataFolder, isReplacing: true });
