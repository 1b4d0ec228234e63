export const EXPIRY_CHANGES = {};
