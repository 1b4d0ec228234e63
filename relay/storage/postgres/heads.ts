/** What a list reads of a package; `place` orders those of the same time. */
export const HEAD_COLUMNS = `packages.place, packages.package_id, app_name, created_at, upload_ends_at,
  committed_at, wait_ends_at, outcome, lease_run, lease_ends_at, files_deleted, version`;

export { headOf, number, type Row } from "../rows.ts";
