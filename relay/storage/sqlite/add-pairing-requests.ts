/** Claims of right codes that wait for a yes in the panel, one for each device at most (rule P12). */
export const ADD_PAIRING_REQUESTS = `
  CREATE TABLE pairing_requests (
    device_id  TEXT PRIMARY KEY REFERENCES devices ON DELETE CASCADE,
    request_id TEXT NOT NULL,
    app_id     TEXT NOT NULL,
    app_name   TEXT NOT NULL,
    address    TEXT NOT NULL,
    network    TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    state      TEXT NOT NULL,
    allowed_at INTEGER
  ) STRICT;
`;
