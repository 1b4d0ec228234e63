import { announced, openUseCases, pairedApp, upload } from "../use-cases.ts";
import { smallWav } from "../../../wav-bytes.ts";
import { manifestOf } from "../../../manifest-of.ts";

export const WAV = smallWav();

/** A relay with an announced package, and a way to upload to it. */
export async function openUpload(files: Parameters<typeof manifestOf>[0] = { "kick.wav": WAV }) {
  const cases = await openUseCases();
  const app = await pairedApp(cases);
  const { package_id: packageId } = await announced(cases, app, manifestOf(files));
  return {
    cases,
    app,
    packageId,
    put: (options?: Parameters<typeof upload>[3]) => upload(cases, app, packageId, options),
    [Symbol.asyncDispose]: () => cases[Symbol.asyncDispose](),
  };
}

/** A piece of a body that must not be read. */
export const tooEarly = async (): Promise<Uint8Array> => {
  throw new Error("The body was read.");
};
