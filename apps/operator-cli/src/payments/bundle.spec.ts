import { afterAll, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeBundle } from './bundle.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-bundle-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('writes the received text of a dispute bundle to the file unchanged', async () => {
  const text = '{ "content": { "events": [] } }\n';
  const file = join(folder, 'one.json');
  expect(await writeBundle(file, async () => text)).toEqual([]);
  expect(readFileSync(file, 'utf8')).toBe(text);
  rmSync(file);
});

it.each([
  ['no JSON', 'not valid JSON'],
  ['{ "content": { "events": [{ "type": "initiated" }] } }', 'undefined'],
])('deletes the new file if the received text is not a dispute bundle: %s', async (text, message) => {
  await expect(writeBundle(join(folder, 'two.json'), async () => text)).rejects.toThrow(message);
  expect(readdirSync(folder)).toEqual([]);
});
