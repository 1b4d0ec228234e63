import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import {
  type FolderPackage,
  readPackageFolder,
} from "../../../../cli/layout/read-package-folder.ts";
import type { WrittenPackages } from "../../../../cli/layout/gather-sounds.ts";
import { writeDawproject } from "../../../../cli/layout/write-dawproject.ts";
import { someOf } from "../../../whole-forms.ts";
import { FIXTURE_NAMES, fixtureFolder } from "../../../fixtures/fixture-packages.ts";

/** Forms of fixtures, and last of all a file with all fixtures in it. */
export const FORMS = someOf(
  [...FIXTURE_NAMES, "all"].flatMap((fixture) => [
    { fixture, withArrangement: false },
    { fixture, withArrangement: true },
  ]),
  4,
);

export type Form = (typeof FORMS)[number];

export interface WrittenForm {
  readonly path: string;
  readonly packages: readonly FolderPackage[];
  readonly written: WrittenPackages;
}

/** All forms take some seconds, more if other tests run at once. */
const WRITING_MS = 60_000;

/** Writes every form once, before the tests of a file; `get` gives one of them. */
export function useForms(): { readonly get: (form: Form) => WrittenForm } {
  const forms = new Map<Form, WrittenForm>();
  let folder: string | undefined;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "soundferry-test-"));
    for (const form of FORMS) forms.set(form, await writeForm(folder, form));
  }, WRITING_MS);
  afterAll(async () => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  return {
    get: (form) => {
      const written = forms.get(form);
      if (written === undefined) throw new Error(`${form.fixture} was not written.`);
      return written;
    },
  };
}

async function writeForm(folder: string, form: Form): Promise<WrittenForm> {
  const { fixture, withArrangement } = form;
  const path = join(folder, `${fixture}${withArrangement ? "-laid-out" : ""}.dawproject`);
  const names = fixture === "all" ? FIXTURE_NAMES : [fixture];
  const packages = await Promise.all(names.map((name) => readPackageFolder(fixtureFolder(name))));
  return { path, packages, written: await writeDawproject(packages, path, { withArrangement }) };
}
