export const INSERT_CHANGES = {};
