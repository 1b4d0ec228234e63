import { findPackages } from "../../../cli/layout/find-packages.ts";
import { CHECK, SHOW, updateTask } from "../../../cli/commands/layout/library-tasks.ts";
import { runLibrary } from "../../../cli/layout/run-library.ts";
import { answerCalls } from "./answer-calls.ts";

export const libraryCalls = {
  /** Lays a library out as `soundferry layout` does; returns how many packages it has. */
  read: async ({ root }: { readonly root: string }) => {
    const { json } = await runLibrary(await findPackages([root]), SHOW);
    return json.packages.length;
  },
  /** Accepts a library as `soundferry layout --update` does. */
  accept: async ({ root }: { readonly root: string }) => {
    const { exitStatus } = await runLibrary(await findPackages([root]), updateTask());
    return exitStatus;
  },
  /** Checks a library as `soundferry layout --check` does; returns how many packages are as accepted. */
  check: async ({ root }: { readonly root: string }) => {
    const { json, exitStatus } = await runLibrary(await findPackages([root]), CHECK);
    return exitStatus === 0 ? json.packages.length : 0;
  },
};
export type LibraryCalls = typeof libraryCalls;

answerCalls(libraryCalls);
