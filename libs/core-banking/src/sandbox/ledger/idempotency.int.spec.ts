import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type FreshBank, freshBank } from '../../testing/fresh-bank.js';

let fresh: FreshBank;
beforeAll(async () => {
  fresh = await freshBank();
}, 60_000);
afterAll(() => fresh.close(), 30_000);

/** The IBAN of a new account with nothing on it. */
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

describe('repeated requests of the sandbox (contract 2)', () => {
  it('a repeated request does nothing again and gets the same answer, 20 of them at once too (contract 2)', async () => {
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
    // A day later, without moving the clock of the other tests.
    await fresh.pool.query("UPDATE attempt SET expires_at = expires_at - interval '24 hours'");
    expect(await fresh.bank.tools.deposit({ iban, body, idempotencyKey: other })).toHaveProperty(
      'transactionId',
    );
    expect(await listEntries(iban)).toBe(3);
  });

  it('a refused request may be corrected and sent again; a person is made once, its password sealed (contract 2)', async () => {
    const ownedKey = { owner: 'tpp', key: 'key-2', path: 'POST /sandbox/psus', hash: 'a' };
    expect(await fresh.bank.tools.createPsu({ accounts: [] }, ownedKey)).toHaveProperty('failures');
    const body = { accounts: [{ currency: 'BGN', opening: '1.00' }] };
    const first = await fresh.bank.tools.createPsu(body, { ...ownedKey, hash: 'b' });
    expect(first).toHaveProperty('password');
    expect(await fresh.bank.tools.createPsu(body, { ...ownedKey, hash: 'b' })).toEqual(first);
    const { rows } = await fresh.pool.query<{ kept: string }>(
      "SELECT string_agg(encode(answer, 'escape'), '') AS kept FROM attempt",
    );
    expect(rows[0]?.kept).not.toContain('password' in first ? first.password : 'none');
  });
});
