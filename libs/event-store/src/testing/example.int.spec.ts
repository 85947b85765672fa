import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { testHashKeys } from '@xs2a/runtime/testing/test-master-keys';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runExample } from './example.js';
import { type SampleDatabase, silent, startSampleDatabase } from './sample-stream.js';

let database: SampleDatabase;
beforeAll(async () => {
  database = await startSampleDatabase();
}, 60_000);
afterAll(async () => database.stop());

describe('the example of the README', () => {
  it('appends, decides on the state, and calls its listener after each append', async () => {
    let appends = 0;
    const given = {
      pool: database.pool(),
      clock: new Clock(true),
      logger: silent,
      hashKeys: testHashKeys,
    };
    const streamId = newId();
    const { total, counters } = await runExample(streamId, given, () => {
      appends += 1;
    });
    expect(total).toBe(2);
    expect(appends).toBe(2);
    expect(await counters.history(streamId)).toMatchObject([{ version: 1 }, { version: 2 }]);
    await expect(
      counters.change(streamId, () => ({ refused: 'too low' }), { actor: 'tester' }),
    ).rejects.toThrow('too low');
  });

  it('is printed in the README as it runs', () => {
    const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');
    const code = /\/\/ README\n([\s\S]*?)\n {2}\/\/ end/.exec(read('example.ts'))?.[1] ?? '';
    const printed = /```ts\n([\s\S]*?)\n```/.exec(read('../../README.md'))?.[1];
    expect(code.split('\n').length).toBeLessThanOrEqual(20);
    expect(printed).toBe(code.replaceAll(/^ {2}/gm, ''));
  });
});
