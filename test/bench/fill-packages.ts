import { Client } from "pg";

/** Each of so many other computers has its part of the packages. */
const DEVICES = 10_000;

/** Copies an announced package until the database has so many, each committed and waiting at another computer. */
export async function fillPackages(
  databaseUrl: string,
  packageId: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(FILL_PACKAGES, [packageId, from, to - 1]);
    await client.query(FILL_MANIFESTS, [packageId, from, to - 1]);
    await client.query("VACUUM ANALYZE packages, manifests");
  } finally {
    await client.end();
  }
}

const FILL_PACKAGES = `
INSERT INTO packages (
  package_id, device_id, app_id, app_name, created_at, announced_bytes, missing_bytes, upload_ends_at, committed_at,
  wait_ends_at, files_end_at, files_deleted, uploaded, room_held_until, room_tiers, version
)
SELECT 'pkg_fill_' || place_of, 'dev_fill_' || place_of % ${DEVICES}, app_id, app_name, created_at, announced_bytes, 0,
  upload_ends_at, created_at, created_at + 86400000, created_at + 86400000, 0, uploaded, 0, '', 1
FROM packages AS model CROSS JOIN generate_series($2::bigint, $3::bigint) AS place_of
WHERE model.package_id = $1`;

const FILL_MANIFESTS = `
INSERT INTO manifests (package_id, manifest)
SELECT 'pkg_fill_' || place_of, manifest
FROM manifests AS model CROSS JOIN generate_series($2::bigint, $3::bigint) AS place_of
WHERE model.package_id = $1`;
