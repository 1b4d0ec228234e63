import { randomBytes } from "node:crypto";
import { StoreTroubleError } from "../../domain/ports.ts";
import { S3Bucket } from "./s3-bucket.ts";
import { PATIENCE, type S3Address, type S3Patience } from "./s3-clients.ts";
import { S3SoundStore } from "./s3-sounds.ts";
import { isRefused } from "./s3-trouble.ts";

const PROBE = "soundferry-probe-";
/** The SHA-256 of nothing, which the probe isn't. */
const WRONG_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

export interface OpenS3Options extends S3Address {
  /** Hears what doesn't keep the store from working, but what the operator should know. */
  /** Whether importers may be sent to the service for their downloads (rule SC15). Off by default. */
  readonly presign?: boolean;
  readonly onTrouble: (error: Error) => void;
  readonly patience?: Partial<S3Patience>;
}

/**
 * The sounds in a bucket, which must exist. Asks once whether the service refuses an object that isn't what it was
 * announced to be. If it doesn't, each sound is read back before it counts as finished.
 * @throws {StoreTroubleError} if the service can't be reached, or the bucket not be used
 */
export async function openS3SoundStore({
  onTrouble,
  patience,
  presign: presigns = false,
  ...address
}: OpenS3Options): Promise<S3SoundStore> {
  const bucket = new S3Bucket(address, { ...PATIENCE, ...patience });
  try {
    const checksItself = !(await refusesWrongBytes(bucket));
    if (checksItself) {
      const sentence =
        `The bucket ${address.bucket} takes objects whose checksum is wrong. ` +
        "Each sound is read back once it is stored, which takes time and traffic.";
      onTrouble(new StoreTroubleError(sentence, { code: "ENOCHECKSUM" }));
    }
    return new S3SoundStore({ bucket, checksItself, presigns });
  } catch (error) {
    bucket[Symbol.dispose]();
    throw error;
  }
}

async function refusesWrongBytes(bucket: S3Bucket): Promise<boolean> {
  // Its success proves that the bucket can be written to, and that the next refusal is about the checksum.
  const name = PROBE + randomBytes(8).toString("hex");
  await bucket.putText(name, "probe");
  try {
    await bucket.putText(name, "probe", {}, WRONG_SHA256);
    return false;
  } catch (error) {
    if (!isRefused(error)) throw error;
    return true;
  } finally {
    await bucket.remove([name]).catch(() => undefined);
  }
}
