/** Which processes are there, and which of them writes the sound of a pending key (rule SC24). */
export const PROCESSES_SCHEMA = `
CREATE TABLE processes (
  id uuid PRIMARY KEY,
  seen_at timestamptz NOT NULL,
  -- When another process found that it had not been seen for a while.
  missed_at timestamptz
) WITH (fillfactor = 70);

-- None for a file that is sent in several calls: any process may continue it.
ALTER TABLE sound_keys ADD COLUMN writer uuid;
CREATE INDEX sound_keys_by_writer ON sound_keys (writer) WHERE state = 'pending' AND writer IS NOT NULL;
`;
