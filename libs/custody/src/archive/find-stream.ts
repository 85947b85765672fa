import { type ArchivedEvent, readArchive } from './archive-file.js';

/**
 * Returns the events of one stream in a file, in order, or an empty list if the file does not contain the stream.
 * Reads the file only up to the last of these events.
 */
export const findStream = async (path: string, streamId: string): Promise<ArchivedEvent[]> => {
  const found: ArchivedEvent[] = [];
  for await (const { line } of readArchive(path)) {
    if (line.kind !== 'event' || line.streamId !== streamId) continue;
    found.push(line);
    if (line.last === true) break;
  }
  return found;
};
