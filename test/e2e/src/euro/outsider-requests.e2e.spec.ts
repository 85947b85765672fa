import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listCodes, listPaths } from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import { type Answer, parseJson } from '@xs2a/tpp-client/http';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { type EuroPsu, openEuroPerson, post } from './euro-world.js';

const sepa = 'SEPA-Credit-Transfer';
const instant = 'instant-SEPA-credit-transfer';
const budget = 'domestic-budget-transfer-EUR';
const cross = 'cross-border-credit-transfer';
const details = 'budgetPaymentDetails';
const text = 'remittanceInformationUnstructured';

let world: World;
let tpp: TppClient;
let psu: EuroPsu;
beforeAll(async () => {
  world = await World.inEuro();
  tpp = world.tpp();
  psu = await openEuroPerson(tpp);
}, 120_000);
afterAll(async () => world.stop());

type Json = Readonly<Record<string, unknown>>;
const amount = (value: string, currency = 'EUR') => ({ instructedAmount: { currency, amount: value } });
const to = (iban: string) => ({ creditorAccount: { iban } });
const notIban = { creditorAccount: { other: { identification: '123456789' } }, creditorAgent: 'CHASUS33' };
const taxpayer = (taxpayerType: string, taxpayerId: string, more: Json = {}) => ({
  [details]: { taxpayerId, taxpayerType, ...more },
});
const address = (change: Json) => ({ creditorAddress: { townName: 'Bonn', country: 'DE', ...change } });

/** The least that each product needs. */
const bodies: Readonly<Record<string, Json>> = {
  [sepa]: to('DE89370400440532013000'),
  [instant]: to('DE89370400440532013000'),
  [budget]: { ...to('BG88BNBG96618000195001'), ...taxpayer('EIK', '999999995') },
  [cross]: {
    ...notIban,
    creditorAddress: { townName: 'Boston', country: 'US' },
    chargeBearer: 'SHAR',
    serviceLevel: 'SPOT',
  },
};
const bodyOf = (product: string, change: Json = {}): Json => ({
  debtorAccount: { iban: psu.iban },
  ...amount('10.00'),
  creditorName: 'Max Mustermann',
  [text]: 'Invoice 1',
  ...bodies[product],
  ...change,
});
const entryOf = (product: string, change: Json = {}): Json => {
  const { debtorAccount: _own, ...entry } = bodyOf(product, change);
  return entry;
};
const send = async (product: string, change: Json = {}): Promise<Answer> =>
  post(tpp, `/v1/payments/${product}`, bodyOf(product, change));
const sendBulk = async (product: string, ...changes: readonly Json[]): Promise<Answer> =>
  post(tpp, `/v1/bulk-payments/${product}`, {
    debtorAccount: { iban: psu.iban },
    payments: changes.map((change) => entryOf(product, change)),
  });
const summary = (answer: Answer): unknown[] =>
  answer.status === 201 ? [201] : [answer.status, ...listCodes(answer), ...listPaths(answer)];
const malformed = (path: string): unknown[] => [400, 'FORMAT_ERROR', path];

describe('the product for the details of a payment (contract E2.1)', () => {
  it.each([
    [sepa, 'BG26RZBB91551023456789', 'DOMESTIC'],
    [instant, 'BG39BNBG96613100195002', 'DOMESTIC'],
    [sepa, 'CH9300762011623852957', 'SEPA'],
  ])('%s to %s is %s', async (product, iban, paymentType) => {
    const { paymentId } = parseJson(await send(product, to(iban)));
    const read = await tpp.call(
      'GET',
      `/v1/payments/${product}/${String(paymentId)}`,
      await tpp.applicationToken(),
    );
    expect(parseJson(read)).toMatchObject({ paymentType });
  });

  it.each<[string, string, Json, string]>([
    ['in SEPA', cross, { ...to('DE89370400440532013000'), creditorAgent: undefined }, sepa],
    ['outside the EEA', instant, to('GB29NWBK60161331926819'), sepa],
    ['to a revenue account', instant, to('BG88BNBG96618000195001'), budget],
    ['without an IBAN', sepa, notIban, cross],
    ['outside SEPA', instant, to('TR330006100519786457841326'), cross],
  ])('%s, %s is refused with the name of the right one', async (_where, product, change, right) => {
    const answer = await send(product, change);
    expect(summary(answer)).toEqual([403, 'PRODUCT_INVALID', undefined]);
    expect(answer.text).toContain(`Send them to /payments/${right}, with the fields of that product.`);
  });
});

describe('names of products (contract E1.5, E1.6)', () => {
  it.each([
    ['payments', 'domestic-budget-transfers-bgn', budget],
    ['periodic-payments', 'domestic-credit-transfer-BGN', sepa],
    ['bulk-payments', 'domestic-credit-transfers-BGN', sepa],
  ])('under %s, %s ended: the text names the day and the successor', async (service, name, successor) => {
    const answer = await post(tpp, `/v1/${service}/${name}`, {});
    expect(summary(answer)).toEqual([404, 'PRODUCT_UNKNOWN', undefined]);
    expect(answer.text).toMatch(new RegExp(`ended on 2026-01-01\\. .*${successor}`));
  });

  it('an ended one is refused after the token, one that is not offered before it', async () => {
    const without = async (product: string) =>
      summary(await tpp.call('POST', `/v1/payments/${product}`, undefined, { json: {} }));
    expect(await without('domestic-credit-transfer-BGN')).toEqual([401, 'TOKEN_UNKNOWN', undefined]);
    expect(await without('target-2-payments')).toEqual([404, 'PRODUCT_UNKNOWN', undefined]);
  });

  it('a repeat under another name of the product is the same payment (contract E1.4)', async () => {
    const key = { 'idempotency-key': 'outsider-names' };
    const first = await post(tpp, `/v1/payments/${sepa}`, bodyOf(sepa), key);
    const again = await post(tpp, '/v1/payments/domestic-credit-transfers-EUR', bodyOf(sepa), key);
    expect([again.status, again.text]).toEqual([201, first.text]);
  });
});

describe('a payment as a stranger sends it, through the gateway', () => {
  const tooLong = (member: string, length: number) => address({ [member]: 'x'.repeat(length) });
  it.each<[string, string, Json, unknown[]]>([
    ['E2.2 details of a tax', sepa, taxpayer('EIK', '999999995'), malformed(details)],
    ['E2.2 the bank by name', instant, { creditorAgentName: 'Bank' }, malformed('creditorAgentName')],
    ['E2.2 shared charges', instant, { chargeBearer: 'SHAR' }, malformed('chargeBearer')],
    ['E2.2 no text', instant, { [text]: undefined }, malformed(text)],
    ['E2.2 another purpose', budget, { purposeCode: 'SALA' }, malformed('purposeCode')],
    ['E2.2 no level', cross, { serviceLevel: undefined }, malformed('serviceLevel')],
    ['E2.3 NURG', budget, { serviceLevel: 'NURG' }, malformed('serviceLevel')],
    ['E2.3 URGP across the border', cross, { serviceLevel: 'URGP' }, [201]],
    ['E2.4 a billion', instant, amount('1000000000.00'), malformed('instructedAmount.amount')],
    ['E2.4 a billion as tax', budget, amount('1000000000.00'), malformed('instructedAmount.amount')],
    ['E2.4 a billion across the border', cross, amount('1000000000.00'), [201]],
    [
      'E2.4 BGN across the border',
      cross,
      amount('1.00', 'BGN'),
      [400, 'PAYMENT_FAILED', 'instructedAmount.currency'],
    ],
    [
      'E2.5 type only, to 3',
      budget,
      { ...to('BG39BNBG96613100195002'), [details]: { taxpayerType: 'EIK' } },
      malformed(`${details}.taxpayerId`),
    ],
    [
      'E2.5 identifier only, to 3',
      budget,
      { ...to('BG39BNBG96613100195002'), [details]: { taxpayerId: '999999995' } },
      malformed(`${details}.taxpayerType`),
    ],
    [
      'E2.5 any category to 84',
      budget,
      { ...to('BG53XSBV92008400000001'), ...taxpayer('EIK', '999999995', { paymentCategory: '123456' }) },
      [201],
    ],
    [
      'E2.5 five digits to 84',
      budget,
      { ...to('BG53XSBV92008400000001'), ...taxpayer('EIK', '999999995', { paymentCategory: '12345' }) },
      malformed(`${details}.paymentCategory`),
    ],
    ['E2.5 EIK of 13 digits', budget, taxpayer('EIK', '9999999950009'), [201]],
    ['E2.5 EGN of 2001', budget, taxpayer('EGN', '0141310019'), [201]],
    ['E2.5 PNF as LNC', budget, taxpayer('LNC', '1001122339'), [201]],
    ['E2.5 an EGN as EIK', budget, taxpayer('EIK', '9901010002'), malformed(`${details}.taxpayerId`)],
    ['E2.5 no such day', budget, taxpayer('EGN', '9902300001'), malformed(`${details}.taxpayerId`)],
    ['E2.6 127 characters', budget, { [text]: 'я'.repeat(127) }, [201]],
    [
      'E2.6 140 without identifier',
      budget,
      { ...to('BG39BNBG96613100195002'), [details]: undefined, [text]: 'я'.repeat(140) },
      [201],
    ],
    [
      'E2.6 neither identifier nor text',
      budget,
      { ...to('BG39BNBG96613100195002'), [details]: undefined, [text]: undefined },
      malformed(text),
    ],
    ['E2.7 two lines and a post code', sepa, address({ addressLine: ['a', 'b'], postCode: '53111' }), [201]],
    ['E2.7 no line', sepa, address({ addressLine: [] }), malformed('creditorAddress.addressLine')],
    [
      'E2.7 a line and a number',
      sepa,
      address({ addressLine: ['a'], buildingNumber: '1' }),
      malformed('creditorAddress.addressLine'),
    ],
    ['E2.7 a long town', sepa, tooLong('townName', 36), malformed('creditorAddress.townName')],
    ['E2.7 a long number', sepa, tooLong('buildingNumber', 17), malformed('creditorAddress.buildingNumber')],
    [
      'E2.7 the bank without a town',
      cross,
      { creditorAgent: undefined, creditorAgentName: 'Bank', creditorAgentAddress: { country: 'US' } },
      malformed('creditorAgentAddress.townName'),
    ],
    ['E9 USD', cross, amount('1.00', 'USD'), [400, 'PAYMENT_FAILED', 'instructedAmount.currency']],
  ])('%s: %s', async (_title, product, change, expected) => {
    expect(summary(await send(product, change))).toEqual(expected);
  });

  it('has all its violations in one answer, in the order of the fields, without the identifier (contract E2.5)', async () => {
    const answer = await send(budget, {
      chargeBearer: 'SHAR',
      serviceLevel: 'URGP',
      [text]: 'x'.repeat(128),
      ...taxpayer('EIK', '999999996', { fromDate: '2026-01-01' }),
    });
    expect(listPaths(answer)).toEqual([
      'chargeBearer',
      text,
      'serviceLevel',
      `${details}.taxpayerId`,
      `${details}.fromDate`,
    ]);
    expect(answer.text).toContain('ended on 2023-10-01');
    expect(answer.text).not.toContain('999999996');
  });

  it('has the path of the entry in a bulk (contract E2.9)', async () => {
    expect(summary(await sendBulk(sepa, {}, { creditorAddress: { country: 'DE' } }))).toEqual(
      malformed('payments[1].creditorAddress.townName'),
    );
    expect(summary(await sendBulk(budget, {}, taxpayer('EIK', '999999996')))).toEqual(
      malformed(`payments[1].${details}.taxpayerId`),
    );
    expect(summary(await sendBulk(sepa, {}, amount('1.00', 'BGN')))).toEqual([
      400,
      'PAYMENT_FAILED',
      'payments[1].instructedAmount.currency',
    ]);
    const wrongEntry = [403, 'PRODUCT_INVALID', 'payments[1]'];
    expect(summary(await sendBulk(instant, {}, to('CH9300762011623852957')))).toEqual(wrongEntry);
    expect(summary(await sendBulk(sepa, {}, to('BG88BNBG96618000195001')))).toEqual(wrongEntry);
  });
});

describe('people of a sandbox in euro (contract E8.4)', () => {
  const account = { currency: 'EUR', opening: '1.00' };
  it.each<[string, Json]>([
    ['accounts[0].currency', { accounts: [{ ...account, currency: 'BGN' }] }],
    ['accounts[0].instantLimit', { accounts: [{ ...account, instantLimit: '1.005' }] }],
    ['accounts[0].holders', { accounts: [{ ...account, holders: [''] }] }],
    ['corporateName', { accounts: [account], corporateName: 'Акме ЕООД' }],
    ['eik', { accounts: [account], corporateId: 'outsider', eik: '123' }],
  ])('are refused with the path %s', async (path, json) => {
    expect(summary(await post(tpp, '/sandbox/psus', json))).toEqual(malformed(path));
  });

  it('get no deposit in BGN, and no outcome that does not exist', async () => {
    const deposit = { currency: 'BGN', amount: '1.00' };
    expect(summary(await post(tpp, `/sandbox/accounts/${psu.iban}/deposit`, deposit))).toEqual(
      malformed('currency'),
    );
    const outcome = { psuId: psu.psuId, outcome: 'instant-lost' };
    expect(summary(await post(tpp, '/sandbox/simulate', outcome))).toEqual(malformed('outcome'));
  });
});
