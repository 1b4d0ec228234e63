// The third entry, `@soundferry/client/node`: files and upload progress in Node.

export { FilePairings } from "./file-pairings.ts";
export { FileTokenStore } from "./file-token-store.ts";
export { IN_NODE } from "./in-node.ts";
export { soundFile } from "./sound-file.ts";
export { streamingUpload } from "./streaming-upload.ts";
