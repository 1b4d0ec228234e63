import type { Context } from "../context.ts";
import type { PackageManifest } from "../ports.ts";

/** Number of characters of JSON that are read at once, so that a list with large manifests takes little memory. */
const AT_ONCE = 64 * 1024;

/** Reads manifests of packages in their order, a few at a time, on demand. Leaves out packages that are gone. */
export async function* readManifests(
  { packages }: Pick<Context, "packages">,
  packageIds: readonly string[],
): AsyncGenerator<PackageManifest, void, void> {
  for (let rest = packageIds; rest.length > 0;) {
    const found = await packages.findManifests(rest, AT_ONCE);
    yield* found;
    const last = found.at(-1)?.packageId;
    rest = last === undefined ? [] : rest.slice(rest.indexOf(last) + 1);
  }
}
