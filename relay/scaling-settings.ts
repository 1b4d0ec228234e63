import { readFileSync } from "node:fs";
import { onOrOff, plainText, type Setting, wholeNumber } from "../core/settings.ts";
import { withoutMark } from "../core/text/parse-json.ts";
import { baseUrl } from "./setting-kinds.ts";

/**
 * Returns the settings of the stores that several relays share (rule SC30). Without them everything is in
 * `SOUNDFERRY_DATA`.
 */
export function scalingSettings() {
  return {
    databaseUrl: serverUrl(
      "SOUNDFERRY_DATABASE_URL",
      ["postgres", "postgresql"],
      "PostgreSQL database for the records, in place of SQLite.",
    ),
    databaseListenUrl: serverUrl(
      "SOUNDFERRY_DATABASE_LISTEN_URL",
      ["postgres", "postgresql"],
      "The same database without a pooler in between, to listen for changes.",
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
    s3SecretAccessKey: plainText(
      "SOUNDFERRY_S3_SECRET_ACCESS_KEY",
      undefined,
      "Secret of that access key.",
    ),
    s3SecretAccessKeyFile: secretFile(
      "SOUNDFERRY_S3_SECRET_ACCESS_KEY_FILE",
      "File with that secret, in place of it.",
    ),
    s3PresignDownloads: onOrOff(
      "SOUNDFERRY_S3_PRESIGN_DOWNLOADS",
      false,
      "Whether importers fetch sounds from the bucket itself; docs/operate/scaling.md says what that gives up.",
    ),
  } as const satisfies Record<string, Setting<unknown>>;
}

/** Returns the contradictions among these settings, one sentence each. */
export function scalingDisagreements(given: {
  readonly databaseUrl: string | undefined;
  readonly databaseListenUrl: string | undefined;
  readonly s3Bucket: string | undefined;
  readonly s3Endpoint: string | undefined;
  readonly s3AccessKeyId: string | undefined;
  readonly s3SecretAccessKey: string | undefined;
  readonly s3SecretAccessKeyFile: string | undefined;
  readonly s3PresignDownloads: boolean;
}): string[] {
  const problems: string[] = [];
  const secret = given.s3SecretAccessKey ?? given.s3SecretAccessKeyFile;
  if (given.databaseListenUrl !== undefined && given.databaseUrl === undefined) {
    problems.push("SOUNDFERRY_DATABASE_LISTEN_URL requires SOUNDFERRY_DATABASE_URL.");
  }
  if (given.s3SecretAccessKey !== undefined && given.s3SecretAccessKeyFile !== undefined) {
    problems.push(
      "SOUNDFERRY_S3_SECRET_ACCESS_KEY and SOUNDFERRY_S3_SECRET_ACCESS_KEY_FILE can't both be set.",
    );
  }
  if ((given.s3AccessKeyId === undefined) !== (secret === undefined)) {
    problems.push(
      "SOUNDFERRY_S3_ACCESS_KEY_ID and SOUNDFERRY_S3_SECRET_ACCESS_KEY must be set together.",
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

/** Reads the address of a server. A message never shows it, because it may hold a password. */
function serverUrl(
  variable: string,
  schemes: readonly string[],
  meaning: string,
): Setting<string | undefined> {
  return {
    variable,
    meaning,
    fallback: undefined,
    read: (text) => {
      const scheme = URL.parse(text)?.protocol.slice(0, -1);
      if (scheme !== undefined && schemes.includes(scheme)) return text;
      throw new Error(`must begin with ${schemes.map((each) => `${each}://`).join(" or ")}.`);
    },
  };
}

/** Reads a file's content without the line break at its end. A message never shows it. */
function secretFile(variable: string, meaning: string): Setting<string | undefined> {
  return {
    variable,
    meaning,
    fallback: undefined,
    read: (path) => {
      let secret: string;
      try {
        secret = withoutMark(readFileSync(path, "utf8")).replace(/\r?\n$/, "");
      } catch (cause) {
        throw new Error(`names a file that can't be read: ${path}.`, { cause });
      }
      if (secret === "") throw new Error(`names an empty file: ${path}.`);
      return secret;
    },
  };
}
