export const ROOM_CHANGES = {};
