// The third entry, `@soundferry/client/node`: files and upload progress in Node.

export { FilePairings, FileTokenStore } from "./file-token-store.ts";
export { IN_NODE, soundFile, streamingUpload } from "./in-node.ts";
