import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { parseJson } from '@xs2a/tpp-client/http';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { listCodes, parseInitiated, readStatus, until } from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import { euroBody, openEuroPerson, post } from './euro-world.js';

const product = 'instant-SEPA-credit-transfer';
const path = `/v1/bulk-payments/${product}`;
const [atOnce, closed, silent] = [
  'DE89370400440532013000',
  'BG73XSBV92001000000203',
  'BG03XSBV92001000000202',
];

let world: World;
let tpp: TppClient;
beforeAll(async () => {
  world = await World.inEuro();
  tpp = world.tpp();
});
afterAll(async () => world.stop());

type Json = Record<string, unknown>;
const signed = async (payees: readonly string[], opening = '1000.00') => {
  const psu = await openEuroPerson(tpp, opening);
  const payments = payees.map((iban) => {
    const { debtorAccount: _own, ...entry } = euroBody(product, psu.iban, {
      creditorAccount: { iban },
      creditorAgent: undefined,
      instructedAmount: { currency: 'EUR', amount: '1.00' },
    });
    return entry;
  });
  const bulk = parseInitiated(await post(tpp, path, { debtorAccount: { iban: psu.iban }, payments }), path);
  await walkAndApprove(world.browser(), bulk.scaRedirect, psu);
  return { ...bulk, signedAt: performance.now() };
};
const ended = async (bulk: { readonly path: string }): Promise<Json> =>
  until(
    async () => readStatus(tpp, await tpp.applicationToken(), bulk.path),
    ({ transactionStatus }) => ['ACSC', 'PART', 'RJCT'].includes(String(transactionStatus)),
    60,
  );
const read = async (bulk: {
  readonly path: string;
}): Promise<Json & { readonly payments: readonly Json[] }> =>
  parseJson(await tpp.call('GET', bulk.path, await tpp.applicationToken()));
const entriesOf = async (bulk: { readonly path: string }): Promise<unknown[][]> =>
  (await read(bulk)).payments.map(({ transactionStatus, reasonCode }) => [transactionStatus, reasonCode]);

describe('a bulk payment of instant payments (contract E3.8)', () => {
  it('is ACSC within a minute if all its entries are paid', async () => {
    const bulk = await signed(Array.from({ length: 60 }, () => atOnce));
    expect(await ended(bulk)).toMatchObject({ transactionStatus: 'ACSC', fundsAvailable: true });
    expect(performance.now() - bulk.signedAt).toBeLessThan(60_000);
    expect(new Set((await entriesOf(bulk)).map(([status]) => status))).toEqual(new Set(['ACSC']));
    const cancelled = await tpp.call('DELETE', bulk.path, await tpp.applicationToken());
    expect([cancelled.status, listCodes(cancelled)]).toEqual([405, ['CANCELLATION_INVALID']]);
  });

  it('is PART if some are paid, and does not wait for silent banks with the others', async () => {
    const bulk = await signed([silent, atOnce, closed, atOnce]);
    await until(
      async () => entriesOf(bulk),
      (entries) => entries[3]?.[0] === 'ACSC',
    );
    expect((await entriesOf(bulk))[0]).toEqual(['ACSP', undefined]);
    expect(await ended(bulk)).toMatchObject({ transactionStatus: 'PART' });
    expect(performance.now() - bulk.signedAt).toBeLessThan(11_000);
    expect(await entriesOf(bulk)).toEqual([
      ['RJCT', 'AB05'],
      ['ACSC', undefined],
      ['RJCT', 'AC04'],
      ['ACSC', undefined],
    ]);
  });

  it('is RJCT with the reason of its first entry if none is paid', async () => {
    const bulk = await signed([closed, 'BG19XSBV92001000000205']);
    expect(await ended(bulk)).toMatchObject({ transactionStatus: 'RJCT', reasonCode: 'AC04' });
    expect(await read(bulk)).toMatchObject({ transactionStatus: 'RJCT', reasonCode: 'AC04' });
    const unfunded = await signed([atOnce, atOnce], '0.50');
    expect(await ended(unfunded)).toMatchObject({
      transactionStatus: 'RJCT',
      reasonCode: 'AM04',
      fundsAvailable: false,
    });
  });
});
