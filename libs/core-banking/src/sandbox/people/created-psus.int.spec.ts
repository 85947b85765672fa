import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewPsu } from '@xs2a/contracts/accounts.contract';
import type { OwnPsu } from '@xs2a/contracts/sandbox/own-psus.contract';
import { newId } from '@xs2a/runtime/ids';
import { type FreshBank, freshBank } from '../../testing/fresh-bank.js';
import { createdSql } from './created-psus.js';
import type { CreatedPsu } from './new-psu.js';

let fresh: FreshBank;
beforeAll(async () => {
  fresh = await freshBank();
}, 60_000);
afterAll(() => fresh.close(), 30_000);

const account = { currency: 'BGN', opening: '100.00' };
const create = async (
  tppId: string | undefined,
  body: NewPsu = { accounts: [account] },
): Promise<CreatedPsu> => {
  const psu = await fresh.bank.tools.createPsu(body, undefined, tppId);
  if ('failures' in psu) throw new Error(JSON.stringify(psu.failures));
  return psu;
};
const listAll = async (tppId: string, limit: number): Promise<OwnPsu[][]> => {
  const pages: OwnPsu[][] = [];
  for (let before: string | undefined; ;) {
    const { psus, next } = await fresh.bank.tools.listCreated({ tppId, limit, ...(before && { before }) });
    pages.push([...psus]);
    if (next === undefined) return pages;
    before = next;
  }
};

describe('the people that a TPP created (contract 13)', () => {
  it('are listed with their accounts as they are now, and without a password', async () => {
    const tppId = newId();
    const body = {
      name: 'Петър Иванов',
      accounts: [
        { ...account, creditLimit: '50.00' },
        { ...account, opening: '0' },
      ],
    };
    const { psuId, accounts } = await create(tppId, body);
    const [iban = '', second = ''] = accounts.map((one) => one.iban);
    await fresh.bank.tools.deposit({ iban, body: { amount: '1.50', currency: 'BGN' } });
    await fresh.bank.tools.changeAccountStatus(second, { status: 'closed' });
    expect(await fresh.bank.tools.listCreated({ tppId, limit: 50 })).toEqual({
      psus: [
        {
          psuId,
          name: 'Петър Иванов',
          accounts: [
            { iban, status: 'enabled', balance: { minor: 101_50, currency: 'BGN' } },
            { iban: second, status: 'closed', balance: { minor: 0, currency: 'BGN' } },
          ],
        },
      ],
    });
  });

  it('have the accounts of the company for which they sign', async () => {
    const [tppId, corporateId] = [newId(), `c-${newId().slice(0, 13)}`];
    const { accounts } = await create(tppId, { corporateId, accounts: [account] });
    const { psuId } = await create(tppId, { corporateId, accounts: [] });
    const { psus } = await fresh.bank.tools.listCreated({ tppId, limit: 1 });
    const shown = accounts.map(({ iban }) => ({
      iban,
      status: 'enabled',
      balance: { minor: 100_00, currency: 'BGN' },
    }));
    expect(psus).toEqual([{ psuId, name: expect.any(String), corporateId, accounts: shown }]);
  });

  it('never sign for the company of another TPP, also if both create it at once', async () => {
    const tpps = Array.from({ length: 8 }, () => newId());
    const corporateId = `c-${newId().slice(0, 13)}`;
    const answers = await Promise.all(
      tpps.map(async (tppId) =>
        fresh.bank.tools.createPsu({ corporateId, accounts: [account] }, undefined, tppId),
      ),
    );
    const refusals = answers.flatMap((answer) => ('failures' in answer ? answer.failures : []));
    expect(refusals).toHaveLength(tpps.length - 1);
    expect(new Set(refusals.map(({ path }) => path))).toEqual(new Set(['corporateId']));
    for (const [index, tppId] of tpps.entries()) {
      const { psus } = await fresh.bank.tools.listCreated({ tppId, limit: 50 });
      expect(psus).toHaveLength('failures' in (answers[index] ?? {}) ? 0 : 1);
    }
  });

  it('are not revealed by the company id: joining the company of another TPP without accounts is refused like an unused id', async () => {
    const [tppId, corporateId] = [newId(), `c-${newId().slice(0, 13)}`];
    await create(newId(), { corporateId, accounts: [account] });
    const join = async (id: string) =>
      fresh.bank.tools.createPsu({ corporateId: id, accounts: [] }, undefined, tppId);
    expect(await join(corporateId)).toEqual(await join(`c-${newId().slice(0, 13)}`));
    expect(await join(corporateId)).toMatchObject({ failures: [{ path: 'accounts' }] });
  });

  it('accept deposits, status changes and simulations only from the TPP that created them, if `createdBy` is set', async () => {
    const [tppId, other] = [newId(), newId()];
    const corporateId = `c-${newId().slice(0, 13)}`;
    const { tools } = fresh.bank;
    const change = async ({ psuId, accounts: [own] }: CreatedPsu, createdBy: string) => [
      await tools.deposit({
        iban: own?.iban ?? '',
        body: { amount: '1.00', currency: 'BGN' },
        createdBy,
      }),
      await tools.changeAccountStatus(own?.iban ?? '', { status: 'blocked' }, createdBy),
      await tools.simulate({ psuId, outcome: 'slow' }, createdBy),
    ];
    const unknown = { refused: [{ failure: 'resourceUnknown' }] };
    for (const psu of [await create(tppId), await create(tppId, { corporateId, accounts: [account] })]) {
      for (const answer of await change(psu, other)) expect(answer).toMatchObject(unknown);
      for (const answer of await change(psu, tppId)) expect(answer).not.toHaveProperty('refused');
    }
    const [fixture] = fresh.fixtures.psus;
    const psu = await create(undefined);
    for (const answer of await change(psu, tppId)) expect(answer).toMatchObject(unknown);
    const ofFixture = await tools.simulate({ psuId: fixture?.psuId, outcome: 'slow' }, tppId);
    expect(ofFixture).toMatchObject(unknown);
  });

  it('sign for a company of the fixtures, which all TPPs share', async () => {
    const [shared] = fresh.fixtures.corporates;
    const corporateId = shared?.corporateId ?? '';
    for (const tppId of [newId(), newId()])
      expect((await create(tppId, { corporateId, accounts: [] })).accounts).not.toEqual([]);
  });

  it('are listed newest first, in pages without a gap or a repeat, also if many were created at once', async () => {
    const tppId = newId();
    const created = await Promise.all(Array.from({ length: 7 }, async () => create(tppId)));
    const last = await create(tppId);
    const pages = await listAll(tppId, 3);
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 2]);
    const listed = pages.flat().map(({ psuId }) => psuId);
    expect(listed[0]).toBe(last.psuId);
    expect([...listed].sort()).toEqual([...created, last].map(({ psuId }) => psuId).sort());
  });

  it('are never those of another TPP, of no TPP or of the fixtures', async () => {
    await create(newId());
    await create(undefined);
    expect(await fresh.bank.tools.listCreated({ tppId: newId(), limit: 50 })).toEqual({ psus: [] });
  });

  it('are recorded with the person: a refused creation leaves nothing', async () => {
    const tppId = newId();
    const refused = await fresh.bank.tools.createPsu({ accounts: [] }, undefined, tppId);
    expect(refused).toHaveProperty('failures');
    expect(await fresh.bank.tools.listCreated({ tppId, limit: 50 })).toEqual({ psus: [] });
  });

  it('are found only with a cursor of a page', async () => {
    for (const before of [
      '',
      'x',
      '1-ivan',
      '-1-psu-1',
      '1-psu-',
      `${'9'.repeat(16)}-psu-1`,
      '1-psu-1\u0000',
    ])
      await expect(fresh.bank.tools.listCreated({ tppId: 'a', limit: 1, before })).rejects.toThrow(
        'fieldMalformed',
      );
    const before = `${'9'.repeat(15)}-psu-f`;
    expect(await fresh.bank.tools.listCreated({ tppId: 'a', limit: 1, before })).toEqual({ psus: [] });
  });

  it('are read from the index in their order, so that a page costs the same for any number of people', async () => {
    const client = await fresh.owner.connect();
    try {
      await client.query('BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off');
      await client.query(`PREPARE page (text, timestamptz, text, int) AS ${createdSql}`);
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN (COSTS OFF) EXECUTE page ('tpp', now(), '', 51)`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain('Index Only Scan Backward using created_psu_pkey');
      expect(plan).toMatch(/Index Cond: \(\(tpp_id = .*created_at, psu_id/);
      expect(plan).not.toMatch(/Sort|Seq Scan/);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });
});
