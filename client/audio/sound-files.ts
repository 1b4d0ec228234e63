/** The `accept` of a file input for the sounds that `convert` may be able to read. */
export const SOUND_FILES = "audio/*,.wav,.aif,.aiff,.aifc,.flac,.m4a,.ogg,.opus";
