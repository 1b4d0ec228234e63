import { findPackages } from "../../../cli/layout/find-packages.ts";
import { SHOW } from "../../../cli/commands/layout/library-tasks.ts";
import { runLibrary } from "../../../cli/layout/run-library.ts";
import { answerCalls } from "./answer-calls.ts";

export const libraryCalls = {
  /** Lays a library out as `soundferry layout` does; returns how many packages it has. */
  read: async ({ root }: { readonly root: string }) => {
    const { json } = await runLibrary(await findPackages([root]), SHOW);
    return json.packages.length;
  },
};
export type LibraryCalls = typeof libraryCalls;

answerCalls(libraryCalls);
