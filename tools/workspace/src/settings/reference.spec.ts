import { describe, expect, it } from '@jest/globals';
import { readText } from '../sources.js';
import { settingsReference } from './reference.js';

/** Removes the formatter's column padding from tables. */
const unaligned = (text: string): string => text.replaceAll(/ {2,}/g, ' ').replaceAll(/-{3,}/g, '---');

describe('docs/settings.md', () => {
  it('is up to date: run npm run settings:reference', async () => {
    expect(unaligned(readText('docs/settings.md'))).toBe(unaligned(await settingsReference()));
  });

  it('explains every setting', async () => {
    const rows = (await settingsReference()).split('\n').filter((line) => line.startsWith('| `'));
    expect(rows.length).toBeGreaterThan(30);
    expect(rows.filter((row) => /\|\s*\|$/.test(row))).toEqual([]);
  });
});
