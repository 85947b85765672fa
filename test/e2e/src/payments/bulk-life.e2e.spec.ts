import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { exampleEntry } from '@xs2a/domain/bulk/example-bulks';
import { standardOf } from '@xs2a/domain/payment/standards/standards';
import { type Answer, parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove, walkAndDecline } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';
import {
  awayFromMidnight,
  bulkPath,
  bulkPayment,
  listCodes,
  consentBody,
  consented,
  dayFrom,
  initiate,
  type Initiated,
  present,
  resourceIds,
  sandboxNow,
  readStatus,
} from '@xs2a/test-support/requests';
import {
  budgetProduct,
  domesticProduct,
  homeCurrency,
  longestTexts,
  testedRules,
} from '@xs2a/test-support/home';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
let token: string;

beforeAll(async () => {
  world = await World.ofLane();
  tpp = world.tpp();
});
beforeEach(async () => {
  await awayFromMidnight(world);
  token = await tpp.applicationToken();
});
afterAll(async () => world.stop());

const firstIban = (psu: FreshPsu): string => psu.accounts[0]?.iban ?? '';
const bulk = async (psu: FreshPsu, amounts: readonly string[], changes: object = {}): Promise<Initiated> =>
  initiate(tpp, token, bulkPayment(firstIban(psu), amounts, { ...changes }), {}, bulkPath);
const signed = async (
  psu: FreshPsu,
  amounts: readonly string[],
  changes: object = {},
): Promise<Initiated> => {
  const initiated = await bulk(psu, amounts, changes);
  await walkAndApprove(world.browser(), initiated.scaRedirect, psu);
  return initiated;
};
const advance = async (duration: string): Promise<void> => {
  await world.advance(duration);
  token = await tpp.applicationToken();
};
/** Returns the status of each entry, in order, such as `ACSC true`. */
const entriesAt = async (path: string): Promise<string[]> =>
  parseJson<{ payments: { transactionStatus: string; fundsAvailable?: boolean }[] }>(
    await tpp.call('GET', path, token),
  ).payments.map(({ transactionStatus, fundsAvailable }) => `${transactionStatus} ${fundsAvailable ?? '-'}`);
const status = async (path: string): Promise<Record<string, unknown>> => readStatus(tpp, token, path);
const cancel = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  tpp.call('DELETE', path, token, { headers });

interface Entry {
  readonly transactionId: string;
  readonly transactionAmount: { readonly amount: string };
}
const readHistory = async (
  psu: FreshPsu,
): Promise<{ booked: readonly string[]; pending: readonly string[] }> => {
  const validUntil = dayFrom(await sandboxNow(world), 30);
  const { tokens } = await consented(world, tpp, psu, consentBody([firstIban(psu)], validUntil));
  const [id = ''] = await resourceIds(tpp, tokens.access_token);
  const answer = await tpp.call('GET', `/v1/accounts/${id}/transactions`, tokens.access_token, present);
  const { booked = [], pending = [] } = parseJson<{ transactions: { booked?: Entry[]; pending?: Entry[] } }>(
    answer,
  ).transactions;
  const amounts = (entries: readonly Entry[]): string[] =>
    entries.map(({ transactionAmount }) => transactionAmount.amount);
  return { booked: amounts(booked), pending: amounts(pending) };
};

describe('a bulk payment (contract 9)', () => {
  it('is signed as a whole with one signature and settled a minute later, and each entry is pending, then booked', async () => {
    const psu = await world.person('100.00');
    const { path, scaRedirect } = await bulk(psu, ['1.00', '2.00', '3.00']);
    expect([await status(path), await entriesAt(path)]).toEqual([
      { transactionStatus: 'RCVD' },
      ['RCVD -', 'RCVD -', 'RCVD -'],
    ]);
    await walkAndApprove(world.browser(), scaRedirect, psu);
    expect([await status(path), await entriesAt(path)]).toEqual([
      { transactionStatus: 'ACCP' },
      ['ACCP -', 'ACCP -', 'ACCP -'],
    ]);
    await advance('PT1M');
    expect([await status(path), await entriesAt(path)]).toEqual([
      { transactionStatus: 'ACSC', fundsAvailable: true },
      ['ACSC true', 'ACSC true', 'ACSC true'],
    ]);
    expect((await readHistory(psu)).pending.toSorted()).toEqual(['-1.00', '-2.00', '-3.00']);
    await advance('PT5M');
    const { booked, pending } = await readHistory(psu);
    expect([pending, booked]).toEqual([[], expect.arrayContaining(['-1.00', '-2.00', '-3.00'])]);
  });

  it('settles its entries in order: if funds cover only the first entries, the bulk is PART', async () => {
    const psu = await world.person('10.00');
    const { path } = await signed(psu, ['6.00', '5.00', '4.00']);
    await advance('PT1M');
    expect([await status(path), await entriesAt(path)]).toMatchObject([
      { transactionStatus: 'PART' },
      ['ACSC true', 'ACCP false', 'ACSC true'],
    ]);
  });

  it('remains ACCP with fundsAvailable=false and a warning if no entry is funded, and is not retried', async () => {
    const psu = await world.person('0.50');
    const { path } = await signed(psu, ['6.00', '5.00']);
    await advance('PT1M');
    await tpp.call('POST', `/sandbox/accounts/${firstIban(psu)}/deposit`, token, {
      json: { amount: '100.00', currency: homeCurrency },
    });
    await advance('P1D');
    expect([await status(path), await entriesAt(path)]).toMatchObject([
      {
        transactionStatus: 'ACCP',
        fundsAvailable: false,
        tppMessages: [{ category: 'WARNING', code: 'FUNDS_NOT_AVAILABLE' }],
      },
      ['ACCP false', 'ACCP false'],
    ]);
    const again = await cancel(path);
    expect([again.status, listCodes(again)]).toEqual([405, ['CANCELLATION_INVALID']]);
  });

  it('settles each of its 250 entries once', async () => {
    const psu = await world.person('1000.00');
    const { path } = await signed(
      psu,
      Array.from({ length: 250 }, () => '1.00'),
    );
    await advance('PT1M');
    expect([await status(path), new Set(await entriesAt(path))]).toEqual([
      { transactionStatus: 'ACSC', fundsAvailable: true },
      new Set(['ACSC true']),
    ]);
  });

  it.each([
    [domesticProduct, { batchBookingPreferred: false }],
    [budgetProduct, { batchBookingPreferred: true }],
  ] as const)(
    '%s: returns 250 entries with the longest texts as sent, and settles them',
    async (product, rest) => {
      const psu = await world.person('1000.00');
      const long = '😀';
      const of250 = (one: object): object[] => Array.from({ length: 250 }, () => one);
      const own = exampleEntry(product, standardOf(testedRules));
      const details = Object(own['budgetPaymentDetails']) as object;
      const ofBudget = {
        ultimateDebtor: long.repeat(70),
        budgetPaymentDetails: {
          ...details,
          ...('documentNumber' in details ? { documentNumber: long.repeat(35) } : {}),
          obligedPersonName: long.repeat(70),
        },
      };
      const entry = {
        ...own,
        ...('budgetPaymentDetails' in own ? ofBudget : {}),
        instructedAmount: { currency: homeCurrency, amount: '1.00' },
        endToEndIdentification: long.repeat(35),
        creditorName: long.repeat(70),
        creditorAddress: {
          streetName: long.repeat(70),
          buildingNumber: long.repeat(longestTexts.buildingNumber),
          townName: long.repeat(longestTexts.townName),
          postCode: long.repeat(longestTexts.postCode),
          country: 'BG',
        },
        remittanceInformationUnstructured: long.repeat(
          product === budgetProduct ? longestTexts.budgetText : 140,
        ),
      };
      const body = { ...rest, debtorAccount: { iban: firstIban(psu) }, payments: of250(entry) };
      const { path, scaRedirect } = await initiate(tpp, token, body, {}, `/v1/bulk-payments/${product}`);
      await walkAndApprove(world.browser(), scaRedirect, psu);
      await advance('PT1M');
      expect(await status(path)).toEqual({ transactionStatus: 'ACSC', fundsAvailable: true });
      const answered = parseJson<{ payments: { payeeVerification?: object }[] }>(
        await tpp.call('GET', path, token),
      ).payments.map(({ payeeVerification: _result, ...own }) => own);
      expect(answered).toEqual(of250({ ...entry, transactionStatus: 'ACSC', fundsAvailable: true }));
      const { booked, pending } = await readHistory(psu);
      expect([...booked, ...pending]).toContain(rest.batchBookingPreferred ? '-250.00' : '-1.00');
    },
  );

  it('waits until the start of its day if it is future-dated', async () => {
    const psu = await world.person('10.00');
    const ahead = dayFrom(await sandboxNow(world), 2);
    const { path } = await signed(psu, ['1.00', '2.00'], { requestedExecutionDate: ahead });
    await advance('P1D');
    expect(await status(path)).toEqual({ transactionStatus: 'ACCP' });
    await advance('P1D');
    expect(await status(path)).toEqual({ transactionStatus: 'ACSC', fundsAvailable: true });
  });

  it('with batchBookingPreferred, adds a single entry with the total to the history', async () => {
    const psu = await world.person('10.00');
    await signed(psu, ['1.00', '2.00'], { batchBookingPreferred: true });
    await advance('PT1M');
    expect((await readHistory(psu)).pending).toEqual(['-3.00']);
    await advance('PT5M');
    const { booked, pending } = await readHistory(psu);
    expect([pending, booked.filter((amount) => amount === '-3.00')]).toEqual([[], ['-3.00']]);
  });
});

describe('the authorisation of a bulk by the PSU (spec 3.4)', () => {
  it('makes the bulk and every entry RJCT if the PSU refuses or does not sign within 15 minutes', async () => {
    const psu = await world.person('10.00');
    const refused = await bulk(psu, ['1.00', '2.00']);
    await walkAndDecline(world.browser(), refused.scaRedirect, psu, 'refuse');
    const forgotten = await bulk(psu, ['1.00', '2.00']);
    await advance('PT15M1S');
    for (const { path } of [refused, forgotten])
      expect([(await status(path))['transactionStatus'], await entriesAt(path)]).toEqual([
        'RJCT',
        ['RJCT -', 'RJCT -'],
      ]);
  });

  it('can be listed and read; there is only one, and none for a cancellation', async () => {
    const psu = await world.person('10.00');
    const { path } = await signed(psu, ['1.00', '2.00']);
    const { authorisationIds } = parseJson<{ authorisationIds: string[] }>(
      await tpp.call('GET', `${path}/authorisations`, token),
    );
    expect(authorisationIds).toHaveLength(1);
    expect(parseJson(await tpp.call('GET', `${path}/authorisations/${authorisationIds[0]}`, token))).toEqual({
      scaStatus: 'finalised',
    });
    expect(parseJson(await tpp.call('GET', `${path}/cancellation-authorisations`, token))).toEqual({
      authorisationIds: [],
    });
    await cancel(path);
  });
});

describe('cancellation of a bulk (contract 9)', () => {
  it('returns 204 in RCVD and ACCP, sets CANC and executes no entry; after settlement it returns 405', async () => {
    const psu = await world.person('10.00');
    const received = await bulk(psu, ['1.00', '2.00']);
    const accepted = await signed(psu, ['1.00', '2.00']);
    const key = { 'idempotency-key': randomUUID() };
    for (const { path } of [received, accepted]) {
      expect([(await cancel(path, key)).status, (await cancel(path, key)).status]).toEqual([204, 204]);
      expect(listCodes(await cancel(path))).toEqual(['CANCELLATION_INVALID']);
    }
    const settled = await signed(psu, ['1.00', '2.00']);
    await advance('PT1M');
    for (const { path } of [received, accepted])
      expect([(await status(path))['transactionStatus'], await entriesAt(path)]).toEqual([
        'CANC',
        ['CANC -', 'CANC -'],
      ]);
    const late = await cancel(settled.path);
    expect([late.status, listCodes(late)]).toEqual([405, ['CANCELLATION_INVALID']]);
    expect((await readHistory(psu)).pending.toSorted()).toEqual(['-1.00', '-2.00']);
  });
});

describe('a bulk requested under another path (contract 3)', () => {
  it('returns 405 SERVICE_INVALID for another service, 403 PRODUCT_INVALID for another product, and 404 for another TPP', async () => {
    const psu = await world.person('10.00');
    const { paymentId } = await bulk(psu, ['1.00', '2.00']);
    for (const tail of ['', '/status', '/authorisations', '/cancellation-authorisations'])
      for (const [at, expected] of [
        [`/v1/payments/${domesticProduct}/${paymentId}`, [405, 'SERVICE_INVALID']],
        [`/v1/periodic-payments/domestic/${paymentId}`, [405, 'SERVICE_INVALID']],
        [`/v1/bulk-payments/${budgetProduct}/${paymentId}`, [403, 'PRODUCT_INVALID']],
        [`${bulkPath}/${randomUUID()}`, [404, 'RESOURCE_UNKNOWN']],
      ] as const) {
        const answer = await tpp.call('GET', `${at}${tail}`, token);
        expect([at, tail, answer.status, listCodes(answer)[0]]).toEqual([at, tail, ...expected]);
      }
    const second = world.tpp('sandbox-tpp-2');
    const answer = await second.call('GET', `${bulkPath}/${paymentId}`, await second.applicationToken());
    expect([answer.status, listCodes(answer)]).toEqual([404, ['RESOURCE_UNKNOWN']]);
  });
});
