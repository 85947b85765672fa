import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type HashKeys, parseHashKeys } from '@xs2a/postgres/hash-keys';
import { hash } from 'node:crypto';
import { type FreshBank, freshBank } from '../../testing/fresh-bank.js';
import { openSandboxBank, type SandboxBank } from '../sandbox-bank.js';

const readHashKeys = (names: readonly string[]): HashKeys => {
  const keys = parseHashKeys(
    names.map((name) => `${name}:${Buffer.alloc(32, name).toString('base64')}`).join(' '),
  );
  if (keys === undefined) throw new Error('no hash keys');
  return keys;
};

let fresh: FreshBank;
beforeAll(async () => {
  fresh = await freshBank();
}, 60_000);
afterAll(() => fresh.close(), 30_000);

/** The IBAN of a new account with a zero balance. */
const account = async (): Promise<string> => {
  const created = await fresh.bank.tools.createPsu({ accounts: [{ currency: 'BGN', opening: '0' }] });
  if ('failures' in created) throw new Error(JSON.stringify(created.failures));
  return created.accounts[0]?.iban ?? '';
};
const listEntries = async (iban: string): Promise<number> => {
  const { rows } = await fresh.pool.query<{ entries: number }>(
    'SELECT count(*) AS entries FROM entry e JOIN account a ON a.id = e.account_id WHERE a.iban = $1',
    [iban],
  );
  return rows[0]?.entries ?? 0;
};

describe('repeated sandbox requests (contract 2)', () => {
  it('change nothing and return the same response, even if 20 of them arrive at once (contract 2)', async () => {
    const iban = await account();
    const ownedKey = {
      owner: 'tpp',
      key: 'key-1',
      path: `POST /sandbox/accounts/${iban}/deposit`,
      hash: 'a',
    };
    const body = { amount: '1.00', currency: 'BGN' };
    const repeats = Array.from({ length: 20 }, () =>
      fresh.bank.tools.deposit({ iban, body, idempotencyKey: ownedKey }),
    );
    const answers = new Set((await Promise.all(repeats)).map((answer) => JSON.stringify(answer)));
    expect(answers.size).toBe(1);
    expect(await listEntries(iban)).toBe(1);
    const other = { ...ownedKey, hash: 'b' };
    expect(await fresh.bank.tools.deposit({ iban, body, idempotencyKey: other })).toMatchObject({
      refused: [{ failure: 'idempotencyKeyReused' }],
    });
    expect(
      await fresh.bank.tools.deposit({ iban, body, idempotencyKey: { ...other, owner: 'tpp-2' } }),
    ).toHaveProperty('transactionId');
    // Simulates a day later without moving the clock of the other tests.
    await fresh.pool.query("UPDATE idempotency_key SET expires_at = expires_at - interval '24 hours'");
    expect(await fresh.bank.tools.deposit({ iban, body, idempotencyKey: other })).toHaveProperty(
      'transactionId',
    );
    expect(await listEntries(iban)).toBe(3);
  });

  it('do not let anyone confirm a guessed key, body or response, and are recognised at each step of a key rotation', async () => {
    const [onlyOld, oldFirst, newFirst, onlyNew] = [['old'], ['old', 'new'], ['new', 'old'], ['new']].map(
      (names) => readHashKeys(names),
    );
    const bankWith = async (hashKeys: HashKeys | undefined): Promise<SandboxBank> =>
      openSandboxBank({ ...fresh, hashKeys: hashKeys ?? fresh.hashKeys });
    const iban = await account();
    const body = { amount: '2.00', currency: 'BGN' };
    const guess = { owner: 'tpp', key: `for ${iban}`, path: `POST /sandbox/accounts/${iban}/deposit` };
    const idempotencyKey = { ...guess, hash: hash('sha256', JSON.stringify(body), 'hex') };
    const before = await (await bankWith(onlyOld)).tools.deposit({ iban, body, idempotencyKey });
    const { rows } = await fresh.pool.query<{ row: string }>('SELECT a::text AS row FROM idempotency_key a');
    const guesses = [
      iban,
      idempotencyKey.hash,
      hash('sha256', JSON.stringify(['key', guess.owner, guess.path, guess.key]), 'hex'),
    ];
    expect(rows.length).toBeGreaterThan(0);
    for (const one of guesses) expect(rows.some(({ row }) => row.includes(one))).toBe(false);
    for (const hashKeys of [oldFirst, newFirst])
      expect(await (await bankWith(hashKeys)).tools.deposit({ iban, body, idempotencyKey })).toEqual(before);
    const during = { ...idempotencyKey, key: 'during' };
    const first = await (await bankWith(oldFirst)).tools.deposit({ iban, body, idempotencyKey: during });
    for (const hashKeys of [onlyOld, newFirst, onlyNew])
      expect(await (await bankWith(hashKeys)).tools.deposit({ iban, body, idempotencyKey: during })).toEqual(
        first,
      );
    const banks = [await bankWith(newFirst), await bankWith(oldFirst), await bankWith(onlyNew)];
    const together = Array.from({ length: 15 }, (_, index) =>
      banks[index % 3]?.tools.deposit({ iban, body, idempotencyKey: { ...during, key: 'together' } }),
    );
    expect(new Set((await Promise.all(together)).map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await listEntries(iban)).toBe(3);
  });

  it('may be corrected after a refusal, and create a person only once, with the password stored encrypted (contract 2)', async () => {
    const ownedKey = { owner: 'tpp', key: 'key-2', path: 'POST /sandbox/psus', hash: 'a' };
    expect(await fresh.bank.tools.createPsu({ accounts: [] }, ownedKey)).toHaveProperty('failures');
    const body = { accounts: [{ currency: 'BGN', opening: '1.00' }] };
    const first = await fresh.bank.tools.createPsu(body, { ...ownedKey, hash: 'b' });
    expect(first).toHaveProperty('password');
    expect(await fresh.bank.tools.createPsu(body, { ...ownedKey, hash: 'b' })).toEqual(first);
    const { rows } = await fresh.pool.query<{ kept: string }>(
      "SELECT string_agg(encode(answer, 'escape'), '') AS kept FROM idempotency_key",
    );
    expect(rows[0]?.kept).not.toContain('password' in first ? first.password : 'none');
  });
});
