/** A migration: on which days a device imported something, as far as rule L7 asks for it. Days are whole ones since 1970. */
export const ADD_IMPORTS = `
  ALTER TABLE devices ADD COLUMN import_days INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE devices ADD COLUMN first_import_day INTEGER;
  ALTER TABLE devices ADD COLUMN last_import_day INTEGER;
`;
