/** A migration: an app's own packages in the order in which they were announced (rule S7). */
export const ADD_OWN_LISTS = `
  CREATE INDEX packages_of_app ON packages (device_id, app_id, created_at);
`;
