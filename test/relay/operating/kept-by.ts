import type { App } from "../../sim/app.ts";
import { bytesOf, type PackageFacts } from "../../sim/ledger.ts";
import type { Answer, CalledRelay } from "../../sim/world.ts";

/** The progress of each package, by its id. */
export type Mark = ReadonlyMap<string, number>;

const STATES = ["announced", "uploaded", "waiting", "imported"];

/** Returns the progress that these apps were told until now. */
export function markOf(apps: readonly App[]): Mark {
  const known = apps.flatMap(({ facts }) => facts.packages.filter(({ id }) => id !== undefined));
  return new Map(known.map((sent) => [sent.id ?? "", rankOf(sent)]));
}

function rankOf({ states: [state = "gone"], uploaded, files }: PackageFacts): number {
  const isWhole = uploaded.size === Object.keys(files).length;
  return state === "gone" ? -1 : Math.max(STATES.indexOf(state), isWhole ? 1 : 0);
}

/** Compares a relay that was restored from a backup, and from the log of removals, with a mark. @throws {BrokenPromise} */
export async function expectKept(restored: CalledRelay, app: App, mark: Mark): Promise<void> {
  const { checks } = app.world;
  const { app: token, importer, packages } = app.facts;
  for (const { id = "", files, states } of packages) {
    const answer = await restored.call("GET", `/packages/${id}/status`, { token });
    const marked = mark.get(id);
    if (answer.status === 404) {
      checks.holds(`${id} is there`, states.includes("gone") || marked === undefined);
      continue;
    }
    checks.holds(`${id} stays withdrawn`, states.length > 1 || states[0] !== "gone");
    if (marked === undefined) continue;
    const found = rankIn(answer);
    checks.holds(`${id} is ${STATES[found]}`, found >= marked);
    if (found < 2) continue;
    const path = `/importer/packages/${id}`;
    const body = { run_id: "check", force: true };
    await restored.call("POST", `${path}/take`, { token: importer, body });
    for (const [file, shape] of Object.entries(files)) {
      const got = await restored.call("GET", `${path}/files/${file}`, { token: importer });
      const isWhole = got.status === 200 && got.body.equals(bytesOf(shape));
      checks.holds(`${id}/${file} is whole`, isWhole);
    }
  }
}

function rankIn({ json }: Answer): number {
  if (STATES.includes(json.status)) return STATES.indexOf(json.status);
  return Object.values(json.files).every((state) => state === "uploaded") ? 1 : 0;
}
