import { findPackages } from "../../../cli/layout/find-packages.ts";
import { SHOW } from "../../../cli/commands/layout/show-task.ts";
import { runLibrary } from "../../../cli/layout/run-library.ts";
import { answerCalls } from "./answer-calls.ts";

// Loaded for the calls that need it, as the command does.
const tasks = () => import("../../../cli/commands/layout/library-tasks.ts");

export const libraryCalls = {
  /** Lays a library out as `soundferry layout` does; returns how many packages it has. */
  read: async ({ root }: { readonly root: string }) => {
    const { json } = await runLibrary(await findPackages([root]), SHOW);
    return json.packages.length;
  },
  /** Accepts a library as `soundferry layout --update` does. */
  accept: async ({ root }: { readonly root: string }) => {
    const { updateTask } = await tasks();
    const { exitStatus } = await runLibrary(await findPackages([root]), updateTask());
    return exitStatus;
  },
  /** Checks a library as `soundferry layout --check` does; returns how many packages are as accepted. */
  check: async ({ root }: { readonly root: string }) => {
    const { CHECK } = await tasks();
    const { json, exitStatus } = await runLibrary(await findPackages([root]), CHECK);
    return exitStatus === 0 ? json.packages.length : 0;
  },
};
export type LibraryCalls = typeof libraryCalls;

answerCalls(libraryCalls);
