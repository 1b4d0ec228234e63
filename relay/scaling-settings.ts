import { existsSync } from "node:fs";
import {
  onOrOff,
  oneOf,
  plainText,
  secret,
  type Setting,
  type SettingsOf,
  wholeNumber,
} from "../core/settings.ts";
import { baseUrl, fileContent, readTextFile } from "./setting-kinds.ts";
import { isOpenWay, withSslMode } from "./store-tls.ts";

/**
 * Returns the settings of the stores that several relays share (rule SC30). Without them everything is in
 * `SOUNDFERRY_DATA`.
 */
export function scalingSettings() {
  return {
    ...secret(
      "databaseUrl",
      databaseAddress(
        "SOUNDFERRY_DATABASE_URL",
        "PostgreSQL database for the records, in place of SQLite.",
      ),
      readTextFile,
    ),
    ...secret(
      "databaseListenUrl",
      databaseAddress(
        "SOUNDFERRY_DATABASE_LISTEN_URL",
        "The same database without a pooler in between, to listen for changes.",
      ),
      readTextFile,
    ),
    databaseConnections: wholeNumber(
      "SOUNDFERRY_DATABASE_CONNECTIONS",
      8,
      "How many connections to PostgreSQL one relay opens for changes.",
      { max: 1000 },
    ),
    allowUnsafeDatabase: {
      variable: "SOUNDFERRY_ALLOW_UNSAFE_DATABASE",
      meaning: "1 accepts a PostgreSQL that can lose what it has confirmed.",
      fallback: false,
      fallbackText: "0",
      read: (text) => {
        if (text !== "0" && text !== "1") throw new Error(`must be 0 or 1, not "${text}".`);
        return text === "1";
      },
    } satisfies Setting<boolean> as Setting<boolean>,
    ...bucketSettings(),
  } as const satisfies Record<string, Setting<unknown>>;
}

function bucketSettings() {
  return {
    s3Bucket: plainText(
      "SOUNDFERRY_S3_BUCKET",
      undefined,
      "S3 bucket for the sounds, in place of the disk.",
    ),
    s3Endpoint: baseUrl(
      "SOUNDFERRY_S3_ENDPOINT",
      "Address of the S3 server, if it isn't Amazon's.",
    ),
    s3Region: plainText("SOUNDFERRY_S3_REGION", "us-east-1", "Region of the bucket."),
    s3AccessKeyId: plainText("SOUNDFERRY_S3_ACCESS_KEY_ID", undefined, "Access key of the bucket."),
    ...secret(
      "s3SecretAccessKey",
      plainText("SOUNDFERRY_S3_SECRET_ACCESS_KEY", undefined, "Secret of that access key."),
      readTextFile,
    ),
    s3Tls: oneOf(
      "SOUNDFERRY_S3_TLS",
      "verified",
      "How the way to the S3 server is guarded; unverified and off let others read and change sounds there.",
      ["verified", "unverified", "off"],
    ),
    s3Ca: fileContent(
      "SOUNDFERRY_S3_CA",
      "Certificate authority (PEM) of the S3 server, if it isn't a public one.",
    ),
    s3PresignDownloads: onOrOff(
      "SOUNDFERRY_S3_PRESIGN_DOWNLOADS",
      false,
      "Whether importers fetch sounds from the bucket itself; docs/operate/scaling.md says what that gives up.",
    ),
  } as const satisfies Record<string, Setting<unknown>>;
}

/** Returns the contradictions among these settings, one sentence each. */
export function scalingDisagreements(
  given: SettingsOf<ReturnType<typeof scalingSettings>>,
): string[] {
  const problems: string[] = [];
  if (given.databaseListenUrl !== undefined && given.databaseUrl === undefined) {
    problems.push("SOUNDFERRY_DATABASE_LISTEN_URL requires SOUNDFERRY_DATABASE_URL.");
  }
  if ((given.s3AccessKeyId === undefined) !== (given.s3SecretAccessKey === undefined)) {
    problems.push(
      "SOUNDFERRY_S3_ACCESS_KEY_ID and SOUNDFERRY_S3_SECRET_ACCESS_KEY must be set together.",
    );
  }
  if (given.s3Endpoint !== undefined && isOpenWay(given.s3Endpoint) && given.s3Tls !== "off") {
    problems.push(
      "SOUNDFERRY_S3_ENDPOINT must be https. SOUNDFERRY_S3_TLS=off allows http: then others can read and change sounds on their way.",
    );
  }
  if (given.s3Bucket === undefined) {
    const useless = [
      given.s3Endpoint !== undefined && "SOUNDFERRY_S3_ENDPOINT",
      given.s3AccessKeyId !== undefined && "SOUNDFERRY_S3_ACCESS_KEY_ID",
      given.s3PresignDownloads && "SOUNDFERRY_S3_PRESIGN_DOWNLOADS",
    ].filter((name) => name !== false);
    problems.push(...useless.map((name) => `${name} requires SOUNDFERRY_S3_BUCKET.`));
  }
  return problems;
}

/** Reads the address of a PostgreSQL database. A message never shows it, because it may hold a password. */
function databaseAddress(variable: string, meaning: string): Setting<string | undefined> {
  return {
    variable,
    meaning,
    fallback: undefined,
    read: (text) => {
      const url = URL.parse(text);
      if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol)) {
        throw new Error("must begin with postgres:// or postgresql://.");
      }
      const ca = url.searchParams.get("sslrootcert");
      if (ca !== null && !existsSync(ca)) throw new Error(`has no file ${ca} for sslrootcert.`);
      return withSslMode(text);
    },
  };
}
