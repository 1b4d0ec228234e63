export const COPY_CHANGES = {};
