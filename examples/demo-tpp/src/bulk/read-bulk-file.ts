import { type BulkFile, maxEntries, unreadable } from './bulk-file.js';
import { readCsv } from './csv-file.js';

/** 250 entries of the longest texts take less than half of it. */
const maxBytes = 512 * 1024;

/** So many faults say enough. */
const maxFaults = 500;

/** Reads a CSV file. Whatever is in it, this returns; faults come by line. */
export const readBulkFile = (bytes: Uint8Array): BulkFile => {
  const { entries, faults } = readAny(bytes);
  return {
    entries: entries.slice(0, maxEntries),
    faults: faults.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0)).slice(0, maxFaults),
  };
};

const readAny = (bytes: Uint8Array): BulkFile => {
  if (bytes.length > maxBytes) return unreadable('too-large');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll(/\r\n?/g, '\n');
  } catch {
    return unreadable('not-utf8');
  }
  if (text.trim() === '') return unreadable('empty');
  return readCsv(text);
};
