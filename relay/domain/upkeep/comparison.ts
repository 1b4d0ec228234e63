/**
 * The outcomes of comparing a stored sound with its announcement (rule Z16):
 * - `same`: the bytes that were announced
 * - `unchecked`: not read, and the store keeps no checksum of it
 * - `gone`: the file was replaced or deleted meanwhile
 * - `lost`: gone or cut off (rule Z2)
 * - `differs`: other bytes
 * - `unreadable`: the disk reports an error
 */
export const COMPARISONS = ["same", "unchecked", "gone", "lost", "differs", "unreadable"] as const;
export type Comparison = (typeof COMPARISONS)[number];
