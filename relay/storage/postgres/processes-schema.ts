/**
 * The tables of the running processes (rule SC24), of their notices to each other (rule SC7), and of the turns of
 * partials (rule SC10). An outbox row is written in the transaction of the change that it announces; `xid` tells when
 * a reader can see it.
 */
export const PROCESSES_SCHEMA = `
CREATE TABLE processes (
  id uuid PRIMARY KEY,
  seen_at timestamptz NOT NULL,
  -- When another process found that it had not been seen for a while.
  missed_at timestamptz
) WITH (fillfactor = 70);

CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  writer uuid NOT NULL,
  topic text NOT NULL,
  notification jsonb
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
CREATE INDEX outbox_by_xid ON outbox (xid);

CREATE SEQUENCE partial_turn_numbers;
CREATE TABLE partial_turns (
  package_id text NOT NULL COLLATE "C",
  file text NOT NULL COLLATE "C",
  last_turn bigint NOT NULL,
  held_turn bigint,
  renewed_at timestamptz NOT NULL,
  PRIMARY KEY (package_id, file)
) WITH (fillfactor = 70);
`;
