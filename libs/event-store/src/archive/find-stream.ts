import { type ArchivedEvent, readArchive } from './archive-file.js';

/**
 * The events of one stream in a file, in order; none if the file does not contain it. Reads the file up to the
 * last of them.
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
