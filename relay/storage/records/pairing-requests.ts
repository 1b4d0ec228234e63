export const REQUEST_CHANGES = {};
