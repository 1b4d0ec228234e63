export const CODE_CHANGES = {};
