import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { type MasterKeys, parseMasterKeys } from '@xs2a/runtime/master-keys';
import { createHmac, hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { type SampleDatabase, type SampleStore, startSampleDatabase } from '../testing/sample-stream.js';
import { idempotencyNeeds, idempotencyPurpose } from './idempotency-records.js';

const masterKeys = (...names: readonly ('old' | 'new')[]): MasterKeys => {
  const byte = { old: 1, new: 2 };
  const parsed = parseMasterKeys(
    names.map((name) => `${name}:${Buffer.alloc(32, byte[name]).toString('base64')}`).join(' '),
  );
  if (parsed === undefined) throw new Error('no master keys');
  return parsed;
};
const [onlyOld, oldFirst, newFirst, onlyNew] = [
  masterKeys('old'),
  masterKeys('old', 'new'),
  masterKeys('new', 'old'),
  masterKeys('new'),
];

let database: SampleDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await startSampleDatabase({ durable: true });
  pool = database.pool();
}, 60_000);
afterAll(async () => database.stop());
beforeEach(async () => void (await database.sql('TRUNCATE payments.idempotency_key')));

const instance = (keys: MasterKeys, clock = new Clock(true)): SampleStore =>
  database.store(pool, clock, undefined, true, keys.hashKeys(idempotencyPurpose));
const recordOf = (key: string, body: unknown) => ({
  tppId: 'tpp',
  path: 'POST /consents',
  key,
  hash: hash('sha256', JSON.stringify(body), 'hex'),
});
/**
 * Sends a POST that creates a stream. Returns the stream's id if the request was executed, otherwise the answer to
 * the first request with the key.
 */
const post = async (store: SampleStore, key: string, body: unknown = {}): Promise<unknown> => {
  const streamId = newId();
  const idempotencyRecord = { ...recordOf(key, body), answer: { id: streamId } };
  const outcome = await store.append({
    streamId,
    events: [{ type: 'counted', data: { by: 1 } }],
    actor: 'tpp',
    idempotencyRecord,
  });
  if (outcome === 'appended') return { id: streamId };
  return typeof outcome === 'object' ? outcome.replay : outcome;
};

/** Reads all files of the server: tables including dead rows, indexes and WAL. */
const readServerFiles = (): Buffer[] =>
  readdirSync(join(database.folder, 'pg'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));

describe('an idempotency key and the hash of its body (docs/how-to/erasure.md)', () => {
  it('cannot be guessed from the row, its dead tuples or the WAL', async () => {
    const store = instance(onlyOld);
    const body = { access: { accounts: [{ iban: 'BG80BNBG96611020345678' }] }, marker: newId() };
    const key = `for BG80BNBG96611020345678 ${newId()}`;
    const canary = newId();
    await post(store, key, body);
    expect(await post(store, key, { other: true })).toBe('key-reused');
    await database.sql(`UPDATE payments.idempotency_key SET path = $1`, [canary]);
    await database.sql('DELETE FROM payments.idempotency_key');
    await database.sql('CHECKPOINT');
    const texts = [JSON.stringify(body), recordOf(key, body).hash, key];
    const digests = texts.flatMap((text) => [
      hash('sha256', text, 'buffer'),
      createHmac('sha256', '').update(text).digest(),
      createHmac('sha256', '')
        .update(JSON.stringify(['key', 'tpp', 'POST /consents', text]))
        .digest(),
    ]);
    const guesses = [
      ...texts,
      ...digests.flatMap((digest) => [digest, digest.toString('hex'), digest.toString('base64url')]),
    ];
    const files = readServerFiles();
    expect(files.some((bytes) => bytes.includes(canary))).toBe(true);
    for (const guess of guesses) expect(files.some((bytes) => bytes.includes(guess))).toBe(false);
  }, 60_000);

  it('are the same in every instance and after every restart', async () => {
    const answer = await post(instance(onlyOld), 'k', { amount: '1.00' });
    expect(await post(instance(masterKeys('old')), 'k', { amount: '1.00' })).toEqual(answer);
  });

  it('are stored with the name of the master key, and a repeat is answered at every step of a rotation', async () => {
    const steps = [onlyOld, oldFirst, newFirst];
    const before = await post(instance(onlyOld), 'before');
    for (const keys of steps) {
      expect(await post(instance(keys), 'before')).toEqual(before);
      expect(await post(instance(keys), 'before', { other: true })).toBe('key-reused');
    }
    const during = await post(instance(oldFirst), 'during');
    for (const keys of [onlyOld, newFirst, onlyNew]) {
      expect(await post(instance(keys), 'during')).toEqual(during);
      expect(await post(instance(keys), 'during', { other: true })).toBe('key-reused');
    }
    expect(
      await database.sql(
        'SELECT key_name, count(*)::int AS n FROM payments.idempotency_key GROUP BY 1 ORDER BY 1',
      ),
    ).toEqual([
      { key_name: 'new', n: 1 },
      { key_name: 'old', n: 2 },
    ]);
    // Only the row stored before the rotation has no hash under the new key.
    const nowMs = Date.now();
    expect([...(await idempotencyNeeds(pool, { current: 'new', nowMs })).keys()]).toEqual(['old']);
    await database.sql(`DELETE FROM payments.idempotency_key WHERE answer::text = $1`, [
      JSON.stringify(before),
    ]);
    expect((await idempotencyNeeds(pool, { current: 'new', nowMs })).size).toBe(0);
  });

  it.each([
    ['before and with both', onlyOld, oldFirst],
    ['in both orders', oldFirst, newFirst],
    ['with both and afterwards', newFirst, onlyNew],
  ])(
    'let only one of 20 parallel create requests succeed if the instances are at two different steps: %s',
    async (_, one, other) => {
      const stores = [instance(one), instance(other)];
      for (let round = 0; round < 10; round += 1) {
        const key = newId();
        const answers = await Promise.all(
          Array.from({ length: 20 }, async (__, index) => post(stores[index % 2] ?? instance(one), key)),
        );
        expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
        const [id] = answers.map((answer) => (answer as { id: string }).id);
        expect(
          await database.sql('SELECT count(*)::int AS n FROM payments.sample_view WHERE stream_id = $1', [
            id,
          ]),
        ).toEqual([{ n: 1 }]);
      }
      const rows = await database.sql(
        'SELECT answer::text, count(*) FROM payments.idempotency_key GROUP BY key_name, answer::text HAVING count(*) > 1',
      );
      expect(rows).toEqual([]);
    },
    60_000,
  );

  it('are not found if a client sends their stored form as its key', async () => {
    await post(instance(onlyOld), 'k');
    const [row] = await database.sql('SELECT key, hash FROM payments.idempotency_key');
    const stored = String(row?.['key']);
    expect(await post(instance(onlyOld), stored)).toMatchObject({ id: expect.any(String) });
  });
});
