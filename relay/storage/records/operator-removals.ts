export const REMOVAL_CHANGES = {};
