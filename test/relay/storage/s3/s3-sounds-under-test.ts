import {
  openS3SoundStore,
  type S3SoundStore,
} from "../../../../relay/storage/s3/s3-sound-store.ts";
import type { SoundStoreUnderTest } from "../../../contracts/relay/sounds/sounds-case.ts";
import { sharedSwift } from "../../../engines/shared-engines.ts";
import { HttpCutter } from "../../../sim/http-cutter.ts";

/** A bucket for the contract suite of sound stores. Each instance is a process with a way of its own to the service. */
export async function s3SoundsUnderTest(): Promise<SoundStoreUnderTest<S3SoundStore>> {
  const swift = sharedSwift();
  const bucket = await swift.createBucket();
  const ways: HttpCutter[] = [];
  return {
    open: async () => {
      const way = await HttpCutter.to(swift.endpoint);
      ways.push(way);
      const { region, accessKeyId, secretAccessKey } = swift;
      return openS3SoundStore({
        bucket,
        endpoint: way.url,
        region,
        accessKeyId,
        secretAccessKey,
        onTrouble: (error) => {
          throw error;
        },
      });
    },
    powerCut: async () => {
      for (const way of ways) way.close();
    },
    [Symbol.asyncDispose]: async () => {
      for (const way of ways) await way[Symbol.asyncDispose]();
    },
  };
}
