import { type BulkFile, maxEntries, unreadable } from './bulk-file.js';
import { readCsv } from './csv-file.js';

/** 250 entries with the longest texts need less than half of it. */
const maxBytes = 512 * 1024;

/** The maximum number of faults shown. */
const maxFaults = 500;

/** Reads a CSV file. Never throws; faults are sorted by line. */
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
