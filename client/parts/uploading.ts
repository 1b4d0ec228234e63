export { uploadSounds } from "../send/upload-sounds.ts";
