import { expect, test } from "vitest";
import { openCurrent } from "../../../relay/operating/folder-database.ts";
import { noteStatements } from "../storage/records/noted-statements.ts";
import { lookInto, relayWithSounds } from "./backed-up-relay.ts";

const PAGE = { limit: 10 };

test("[AD12] lists of packages reach theirs by an index, and only what is shown is sorted", async () => {
  const { relay, importer, packages } = await relayWithSounds();
  const view = await lookInto(relay.folder);
  const [app] = (await view.list("apps", PAGE)).items;
  const app_id = app?.pairing_id ?? "";
  using noted = noteStatements();
  for (const filter of [{}, { id: packages[0] }, { device: importer.deviceId }, { app: app_id }]) {
    await view.list("packages", PAGE, filter);
  }
  using database = openCurrent(relay.folder);
  const planOf = (name: string) => {
    const sql = noted.sqlite.get(name)?.text ?? expect.fail(`${name} didn't run.`);
    return database
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail));
  };
  expect(planOf("view_packages").join("\n")).not.toMatch(/SCAN|B-TREE/u);
  expect(planOf("view_packages_by_id").join("\n")).toMatch(
    /SEARCH (?:packages|manifests) USING .*\(package_id>\? AND package_id<\?\)/u,
  );
  for (const name of ["view_packages_of_device", "view_packages_of_app"]) {
    expect(planOf(name).join("\n")).toMatch(/SEARCH packages USING .*\(device_id=\?/u);
  }
});
