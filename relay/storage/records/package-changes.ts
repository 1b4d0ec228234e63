export const PACKAGE_CHANGES = {};
