import { checkPackage } from "../../../../cli/layout/check/check-package.ts";
import type { CheckedPackage } from "../../../../cli/layout/check/checked-package.ts";
import { updateGolden } from "../../../../cli/layout/golden.ts";
import { readPackageAudio } from "../../../../cli/layout/read-package-audio.ts";
import { readPackageFolder } from "../../../../cli/layout/read-package-folder.ts";

/** Compares a package folder with its golden. */
export async function checkFolder(folder: string): Promise<CheckedPackage> {
  const read = await readPackageFolder(folder);
  return checkPackage(read, await readPackageAudio(read));
}

/** Accepts a package folder as it is. */
export async function acceptFolder(folder: string): Promise<void> {
  const read = await readPackageFolder(folder);
  await updateGolden(read, await readPackageAudio(read));
}
