/**
 * The order in which packages were first reported, and indexes for pages of the importer's list (rule I5). A trigger
 * keeps the order, whichever version of the relay writes.
 */
export const ADD_FIRST_REPORTS = `
  CREATE TABLE first_reports (
    -- Never used again, so that a list that has begun knows what was reported since.
    seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    package_id TEXT NOT NULL UNIQUE REFERENCES packages ON DELETE CASCADE,
    device_id  TEXT NOT NULL
  ) STRICT;
  CREATE INDEX first_reports_of_device ON first_reports (device_id, seq);

  CREATE TRIGGER note_first_report AFTER UPDATE OF outcome ON packages
    WHEN OLD.outcome IS NULL AND NEW.outcome IS NOT NULL
  BEGIN
    INSERT INTO first_reports (package_id, device_id) VALUES (NEW.package_id, NEW.device_id)
      ON CONFLICT DO NOTHING;
  END;

  CREATE INDEX packages_waiting ON packages (device_id, committed_at)
    WHERE outcome IS NULL AND committed_at IS NOT NULL AND files_deleted = 0;
  CREATE INDEX packages_reported ON packages (device_id, committed_at)
    WHERE outcome IS NOT NULL AND committed_at IS NOT NULL AND files_deleted = 0;
`;
