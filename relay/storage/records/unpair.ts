export const UNPAIR_CHANGES = {};
