/**
 * The `accept` of a file input for the files that `convert` may be able to read. With videos in it, phones offer their
 * photo library, too.
 */
export const SOUND_FILES =
  "audio/*,video/*,.wav,.aif,.aiff,.aifc,.flac,.m4a,.ogg,.opus,.mp4,.m4v,.mov,.webm";
