import { expect, test } from "vitest";
import {
  looksLikeToken,
  makeAppToken,
  makeId,
  makeImporterToken,
  makePackageId,
} from "../../../../relay/domain/pairing/tokens.ts";
import { systemRandomBytes } from "../../../../relay/storage/system.ts";

/** Every byte value comes by, in pieces as they are asked for. */
function countingBytes() {
  const asked: number[] = [];
  let next = 0;
  const randomBytes = (count: number) => {
    asked.push(count);
    return Uint8Array.from({ length: count }, () => (next += 73) & 255);
  };
  return { asked, randomBytes };
}

test("[A1][M8] tokens have 256 random bits behind their prefix, ids 128", () => {
  const makers = [
    { make: makeAppToken, prefix: "sfa_", bytes: 32 },
    { make: makeImporterToken, prefix: "sfi_", bytes: 32 },
    { make: makePackageId, prefix: "pkg_", bytes: 16 },
    {
      make: (random: typeof systemRandomBytes) => makeId("dev", random),
      prefix: "dev_",
      bytes: 16,
    },
    {
      make: (random: typeof systemRandomBytes) => makeId("snd", random),
      prefix: "snd_",
      bytes: 16,
    },
  ];
  for (const { make, prefix, bytes } of makers) {
    const { asked, randomBytes } = countingBytes();
    const expected = Buffer.from(countingBytes().randomBytes(bytes)).toString("base64url");
    expect(make(randomBytes)).toBe(prefix + expected);
    expect(asked).toEqual([bytes]);
  }
});

test("[A1] every random bit is in a token, whatever the bytes", () => {
  for (const fill of [0, 1, 128, 255]) {
    const token = makeAppToken((count) => new Uint8Array(count).fill(fill));
    expect(Buffer.from(token.slice(4), "base64url")).toEqual(Buffer.alloc(32, fill));
  }
});

test("[A2] only a token of the right kind, length and characters looks like one", () => {
  const app = makeAppToken(systemRandomBytes);
  const importer = makeImporterToken(systemRandomBytes);
  expect(looksLikeToken(app, "sfa")).toBe(true);
  expect(looksLikeToken(importer, "sfi")).toBe(true);
  expect(looksLikeToken(`sfa_${"-_".repeat(21)}9`, "sfa")).toBe(true);
  expect(looksLikeToken(app, "sfi")).toBe(false);
  expect(looksLikeToken(importer, "sfa")).toBe(false);
  const body = app.slice(4);
  for (const wrong of [
    "",
    app.slice(0, -1),
    `${app}A`,
    `sfa-${body}`,
    ` ${app.slice(0, -1)}`,
    `${app.slice(0, -1)} `,
    `${app.slice(0, -1)}+`,
    `${app.slice(0, -1)}\n`,
    `sfa_+${body.slice(1)}`,
    `sfa_${body.slice(0, 20)}é${body.slice(21)}`,
  ]) {
    expect(looksLikeToken(wrong, "sfa"), wrong).toBe(false);
  }
});
