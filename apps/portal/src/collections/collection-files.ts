import { openApiDocument, type DocumentSettings } from '@xs2a/gateway/openapi/document';
import { strToU8, zipSync } from 'fflate';
import type { Fixtures } from '../start/fixtures.js';
import { brunoFiles } from './bruno.js';
import type { Collection } from './collection.js';
import { makeCollection } from './make-collection.js';
import { postmanCollection } from './postman.js';

/** The collection of a bank, as files for API clients. */
export interface CollectionFiles {
  readonly collection: Collection;
  readonly bruno: Uint8Array;
  readonly postman: string;
}

/** The folder in which the archive of the Bruno collection unpacks. */
const folder = 'xs2a-bruno';

/** Returns the collection of a bank; with the first client of a sandbox that belongs to all of its users. */
export const collectionFiles = (settings: DocumentSettings, fixtures?: Fixtures): CollectionFiles => {
  const { baseUrl } = settings;
  const collection = makeCollection({ document: openApiDocument(settings), baseUrl }, fixtures?.tpps[0]);
  const files = [...brunoFiles(collection)].map(([path, text]) => [`${folder}/${path}`, strToU8(text)]);
  return {
    collection,
    // The earliest time that an archive can hold, so that the same collection is the same file.
    bruno: zipSync(Object.fromEntries(files), { mtime: '1980-01-01T12:00:00Z' }),
    postman: JSON.stringify(postmanCollection(collection), null, 2),
  };
};
