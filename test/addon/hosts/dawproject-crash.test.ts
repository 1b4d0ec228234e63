import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { DawprojectHost } from "../../../addon/hosts/dawproject/dawproject-host.ts";
import type { Host, PlaceRequest } from "../../../addon/hosts/host.ts";
import { readLocalPackage } from "../../../addon/packages/local-package.ts";
import { checkProject } from "./dawproject/check-project.ts";
import { elements, openDawproject } from "./dawproject/open-dawproject.ts";
import { ImportSite } from "../runs/import-site.ts";
import { writeLocalPackage } from "../importer-at-work.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const NAMES = ["Kick", "Snare"];
/** The steps of an import: each sound into the file, and the file to its path. */
const STEPS = NAMES.length + 1;

const MOMENTS = ["before", "after"] as const;
const STOPS = Array.from({ length: STEPS }, (_, index) => index + 1).flatMap((step) =>
  MOMENTS.map((moment) => ({ moment, step })),
);

/** The host, in a process that dies before or after the n-th step; what it holds is let go after the test. */
function dyingHost(stop: (typeof STOPS)[number], onStop: () => void): Host {
  const host = new DawprojectHost();
  const dead = Promise.withResolvers<never>();
  onTestFinished(() => dead.reject(new Error("The process crashed.")));
  const place = (request: PlaceRequest) => {
    const { journal } = request;
    let steps = 0;
    const step: typeof journal.step = async (label, act, kind) => {
      steps += 1;
      const isLast = steps === stop.step;
      const die = () => {
        onStop();
        return dead.promise;
      };
      if (isLast && stop.moment === "before") return die();
      const outcome = await journal.step(label, act, kind);
      return isLast ? die() : outcome;
    };
    return host.place({ ...request, journal: { ...journal, runId: journal.runId, step } });
  };
  return { name: host.name, can: host.can, place };
}

test.each(STOPS)(
  "[R4][D7] an import that died $moment step $step is completed by the next, without a question",
  async (stop) => {
    const folder = await temporaryFolder();
    const source = await readLocalPackage(
      await writeLocalPackage(join(folder, "in"), "Kit", NAMES),
    );
    const site = new ImportSite(join(folder, "site"));
    const older = await site.import(source, { host: new DawprojectHost() });
    expect(older.status).toBe("imported");

    const left = new ImportSite(join(folder, "left"));
    const stopped = Promise.withResolvers<void>();
    const host = dyingHost(stop, () => {
      // A crashed process writes nothing more; the rest of the run in this process may.
      cpSync(site.folder, left.folder, { recursive: true });
      stopped.resolve();
    });
    site.import(source, { host, again: true }).catch(() => undefined);
    await stopped.promise;

    const path = join(left.sounds, "Kit", "Kit.dawproject");
    checkProject(await openDawproject(path));
    const outcome = await left.import(source, { host: new DawprojectHost() });
    expect(outcome.status).toBe("imported");
    const opened = await openDawproject(path);
    checkProject(opened);
    expect(elements(opened.project, "Structure", "Track")).toHaveLength(NAMES.length + 1);
    const about = [".soundferry.json", "Kit.dawproject", "manifest.json"];
    const files = [...about, ...NAMES.map((name) => `${name}.wav`)];
    expect(await left.listSounds()).toEqual(files.map((file) => join("Kit", file)).toSorted());
  },
);
