import { describe, expect, test } from "vitest";
import { RelayError } from "../../../addon/relay/relay-errors.ts";
import { takePackage, type TakeOptions } from "../../../addon/runs/run-lease.ts";

type Take = { readonly run_id: string; readonly force?: boolean };

/** A relay where one run holds the package, and what it was asked. */
function setUp(holder: string | undefined, trouble?: (take: Take) => Error | undefined) {
  const takes: Take[] = [];
  const relay = {
    take: async (packageId: string, take: Take) => {
      expect(packageId).toBe("pkg_a");
      takes.push(take);
      const error = trouble?.(take);
      if (error !== undefined) throw error;
      const isFree = holder === undefined || take.run_id === holder || take.force === true;
      if (!isFree) throw new RelayError(409, "Another run holds it.");
      return { expires_at: "", expires_in: 300 };
    },
  };
  const take = (options: Partial<TakeOptions> = {}) =>
    takePackage(relay, "pkg_a", { runId: "new", isForced: false, stoppedRunIds: [], ...options });
  return { takes, take };
}

describe("taking a package", () => {
  test("[S2] asks once where it is free, without force", async () => {
    const { takes, take } = setUp(undefined);
    await take({ stoppedRunIds: ["old"] });
    expect(takes).toEqual([{ run_id: "new" }]);
  });

  test("[S2] is forced when the person says so", async () => {
    const { takes, take } = setUp("other");
    await take({ isForced: true });
    expect(takes).toEqual([{ run_id: "new", force: true }]);
  });

  test("[R7] takes it from a run of its own that stopped", async () => {
    const { takes, take } = setUp("old-2");
    await take({ stoppedRunIds: ["old-1", "old-2", "old-3"] });
    expect(takes).toEqual([
      { run_id: "new" },
      { run_id: "old-1" },
      { run_id: "old-2" },
      { run_id: "new", force: true },
    ]);
  });

  test("[S2] never takes it from another importer", async () => {
    const { takes, take } = setUp("other");
    await expect(take({ stoppedRunIds: ["old", "new"] })).rejects.toThrow("Another run holds it.");
    expect(takes).toEqual([{ run_id: "new" }, { run_id: "old" }]);
  });

  test("[R7] stops at the first answer that says nothing about who holds it", async () => {
    const gone = new RelayError(404, "Gone.");
    const first = setUp("old", () => gone);
    await expect(first.take({ stoppedRunIds: ["old"] })).rejects.toBe(gone);
    expect(first.takes).toHaveLength(1);
    const second = setUp("other", ({ run_id }) => (run_id === "old-1" ? gone : undefined));
    await expect(second.take({ stoppedRunIds: ["old-1", "old-2"] })).rejects.toBe(gone);
    expect(second.takes).toHaveLength(2);
  });
});
