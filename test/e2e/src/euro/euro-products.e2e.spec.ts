import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exampleOrderOf } from '@xs2a/domain/order/example-order';
import { exampleBulk } from '@xs2a/domain/bulk/example-bulks';
import { type EuroProduct, euroProducts } from '@xs2a/domain/payment/payment-products';
import { euro } from '@xs2a/domain/payment/standards/euro';
import {
  consentBody,
  consented,
  dayFrom,
  listCodes,
  listPaths,
  parseInitiated,
  present,
  readStatus,
  resourceIds,
  sandboxNow,
} from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import { parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { euroBody, type EuroPsu, openEuroPerson, post } from './euro-world.js';

const sepa = 'SEPA-Credit-Transfer';
const instant = 'instant-SEPA-credit-transfer';
const budget = 'domestic-budget-transfer-EUR';
const crossBorder = 'cross-border-credit-transfer';
const details = 'budgetPaymentDetails';
const text = 'remittanceInformationUnstructured';

let world: World;
let tpp: TppClient;
let psu: EuroPsu;
beforeAll(async () => {
  world = await World.inEuro();
  tpp = world.tpp();
  psu = await openEuroPerson(tpp);
});
afterAll(async () => world.stop());

const at8 = { creditorAccount: { iban: 'BG88BNBG96618000195001' }, creditorAgent: undefined };
const at3 = { creditorAccount: { iban: 'BG39BNBG96613100195002' }, creditorAgent: undefined };
const inBulgaria = { creditorAccount: { iban: 'BG26RZBB91551023456789' }, creditorAgent: undefined };
const inTurkey = { creditorAccount: { iban: 'TR330006100519786457841326' }, creditorAgent: 'TCZBTR2A' };
const inSwitzerland = { creditorAccount: { iban: 'CH9300762011623852957' }, creditorAgent: undefined };
const eik = { taxpayerId: '999999995', taxpayerType: 'EIK' };
const amount = (value: string, currency = 'EUR') => ({ instructedAmount: { currency, amount: value } });

const summary = (answer: Awaited<ReturnType<typeof post>>): unknown[] =>
  answer.status === 201 ? [201] : [answer.status, ...listCodes(answer), ...listPaths(answer)];

describe('products in euro (contract E1.4)', () => {
  it.each([
    ['/v1/payments/sepa-credit-transfers', sepa],
    ['/v1/payments/domestic-credit-transfers-EUR', sepa],
    ['/payments/DOMESTIC-credit-transfer-eur', sepa],
    ['/v1/payments/instant-sepa-credit-transfers', instant],
    ['/v1/payments/domestic-budget-transfers-EUR', budget],
    ['/v1/payments/cross-border-transfers', crossBorder],
  ] as const)('%s creates a payment whose links name %s', async (path, product) => {
    const answer = await post(tpp, path, euroBody(product, psu.iban));
    const { paymentId } = parseInitiated(answer);
    expect(answer.headers.get('location')).toBe(`/v1/payments/${product}/${paymentId}`);
    const read = await tpp.call('GET', `${path}/${paymentId}`, await tpp.applicationToken());
    expect(parseJson(read)).toMatchObject({
      ...euroBody(product, psu.iban),
      transactionStatus: 'RCVD',
      paymentType: { [sepa]: 'SEPA', [instant]: 'SEPA', [budget]: 'DOMESTIC', [crossBorder]: 'FOREIGN' }[
        product
      ],
    });
  });

  it('domestic names SEPA in every path of periodic payments', async () => {
    const startDate = dayFrom(await sandboxNow(world), 3);
    const order = {
      ...exampleOrderOf(euro),
      debtorAccount: { iban: psu.iban },
      startDate,
      endDate: undefined,
      dayOfExecution: undefined,
    };
    const answer = await post(tpp, '/v1/periodic-payments/domestic', order);
    const { paymentId } = parseInitiated(answer);
    expect(answer.headers.get('location')).toBe(`/v1/periodic-payments/${sepa}/${paymentId}`);
    for (const name of ['domestic', sepa])
      expect(
        (
          await tpp.call(
            'GET',
            `/v1/periodic-payments/${name}/${paymentId}/status`,
            await tpp.applicationToken(),
          )
        ).status,
      ).toBe(200);
    expect(summary(await post(tpp, '/v1/payments/domestic', {}))).toEqual([
      404,
      'PRODUCT_UNKNOWN',
      undefined,
    ]);
  });

  it('target-2-payments is not a product (contract E1.6)', async () => {
    expect(summary(await post(tpp, '/v1/payments/target-2-payments', {}))).toEqual([
      404,
      'PRODUCT_UNKNOWN',
      undefined,
    ]);
  });
});

describe('validation in euro, through the gateway', () => {
  it.each<[string, EuroProduct, object, unknown[]]>([
    ['E2.1 SEPA across the border', crossBorder, inBulgaria, [403, 'PRODUCT_INVALID', undefined]],
    ['E2.1 outside SEPA', sepa, inTurkey, [403, 'PRODUCT_INVALID', undefined]],
    ['E2.1 no instant transfer there', instant, inSwitzerland, [403, 'PRODUCT_INVALID', undefined]],
    ['E2.1 SEPA to a revenue account', sepa, at8, [403, 'PRODUCT_INVALID', undefined]],
    ['E2.1 instant to a revenue account', instant, at8, [403, 'PRODUCT_INVALID', undefined]],
    ['E2.1 SEPA to position 13 = 3', sepa, at3, [201]],
    ['E2.2 ultimateDebtor', sepa, { ultimateDebtor: 'x' }, [400, 'FORMAT_ERROR', 'ultimateDebtor']],
    ['E2.2 purposeCode', instant, { purposeCode: 'GOVT' }, [400, 'FORMAT_ERROR', 'purposeCode']],
    [
      'E2.2 no address',
      crossBorder,
      { creditorAddress: undefined },
      [400, 'FORMAT_ERROR', 'creditorAddress'],
    ],
    ['E2.2 charges', budget, { chargeBearer: 'SHAR' }, [400, 'FORMAT_ERROR', 'chargeBearer']],
    [
      'E2.2 no charge bearer',
      crossBorder,
      { chargeBearer: undefined },
      [400, 'FORMAT_ERROR', 'chargeBearer'],
    ],
    ['E2.2 no level', sepa, { serviceLevel: undefined, chargeBearer: undefined }, [201]],
    ['E2.3 NURG', sepa, { serviceLevel: 'NURG' }, [400, 'FORMAT_ERROR', 'serviceLevel']],
    ['E2.3 URGP', instant, { serviceLevel: 'URGP' }, [400, 'FORMAT_ERROR', 'serviceLevel']],
    ['E2.4 too much', sepa, amount('1000000000.00'), [400, 'FORMAT_ERROR', 'instructedAmount.amount']],
    ['E2.4 the most', sepa, amount('999999999.99'), [201]],
    ['E2.4 BGN', sepa, amount('12.50', 'BGN'), [400, 'PAYMENT_FAILED', 'instructedAmount.currency']],
    [
      'E2.5 another account',
      budget,
      { ...inBulgaria, [details]: eik },
      [400, 'FORMAT_ERROR', 'creditorAccount.iban'],
    ],
    ['E2.5 no details', budget, { ...at8, [details]: undefined }, [400, 'FORMAT_ERROR', details]],
    [
      'E2.5 an ended attribute',
      budget,
      { ...at8, [details]: { ...eik, documentNumber: '1' } },
      [400, 'FORMAT_ERROR', `${details}.documentNumber`],
    ],
    [
      'E2.5 a wrong identifier',
      budget,
      { ...at8, [details]: { ...eik, taxpayerId: '999999994' } },
      [400, 'FORMAT_ERROR', `${details}.taxpayerId`],
    ],
    [
      'E2.5 a category without 84',
      budget,
      { ...at8, [details]: { ...eik, paymentCategory: '442100' } },
      [400, 'FORMAT_ERROR', `${details}.paymentCategory`],
    ],
    ['E2.6 128 characters', budget, { [text]: 'x'.repeat(128) }, [400, 'FORMAT_ERROR', text]],
    ['E2.6 no text', budget, { ...at8, [details]: eik, [text]: undefined }, [201]],
    [
      'E2.7 no town',
      sepa,
      { creditorAddress: { country: 'DE' } },
      [400, 'FORMAT_ERROR', 'creditorAddress.townName'],
    ],
    [
      'E2.7 both forms',
      sepa,
      { creditorAddress: { addressLine: ['x'], streetName: 'x', townName: 'Bonn', country: 'DE' } },
      [400, 'FORMAT_ERROR', 'creditorAddress.addressLine'],
    ],
    ['E2.8 a purpose code', crossBorder, { [text]: '101%%goods' }, [201]],
  ])('%s: %s', async (_title, product, change, expected) => {
    const body = JSON.parse(JSON.stringify(euroBody(product, psu.iban, change)));
    expect(summary(await post(tpp, `/v1/payments/${product}`, body))).toEqual(expected);
  });

  it('names the product for the details', async () => {
    const answer = await post(tpp, `/v1/payments/${sepa}`, euroBody(sepa, psu.iban, at8));
    expect(answer.text).toContain(`/payments/${budget}`);
    const inGermany = { creditorAccount: { iban: 'DE89370400440532013000' }, [details]: eik };
    const abroad = await post(tpp, `/v1/payments/${budget}`, euroBody(budget, psu.iban, inGermany));
    expect([abroad.status, abroad.text]).toEqual([
      400,
      expect.stringContaining('Pay another account by SEPA-Credit-Transfer'),
    ]);
  });

  it('refuses BGN with the words of the contract (contract E2.4)', async () => {
    const answer = await post(tpp, `/v1/payments/${sepa}`, euroBody(sepa, psu.iban, amount('12.50', 'BGN')));
    expect(parseJson(answer)).toEqual({
      tppMessages: [
        {
          category: 'ERROR',
          code: 'PAYMENT_FAILED',
          path: 'instructedAmount.currency',
          text: 'Payments in BGN ended on 2026-01-01. Send EUR: the amount divided by 1.95583, rounded to the cent.',
        },
      ],
    });
  });

  it('takes SEPA periodically and three products in bulk, and no other (contract E2.9)', async () => {
    const refused = async (path: string) => summary(await post(tpp, path, {}));
    for (const product of euroProducts.filter((one) => one !== sepa))
      expect(await refused(`/v1/periodic-payments/${product}`)).toEqual([403, 'PRODUCT_INVALID', undefined]);
    expect(await refused(`/v1/bulk-payments/${crossBorder}`)).toEqual([403, 'PRODUCT_INVALID', undefined]);
    for (const product of [sepa, instant, budget] as const) {
      const bulk = { ...exampleBulk(product, euro), debtorAccount: { iban: psu.iban } };
      const json = { ...bulk, requestedExecutionDate: undefined };
      const answer = await post(tpp, `/v1/bulk-payments/${product}`, json);
      const { path } = parseInitiated(answer, `/v1/bulk-payments/${product}`);
      expect((await tpp.call('GET', path, await tpp.applicationToken())).status).toBe(200);
    }
    const order = {
      ...exampleOrderOf(euro),
      debtorAccount: { iban: psu.iban },
      startDate: dayFrom(await sandboxNow(world), 3),
      endDate: undefined,
      instructedAmount: { currency: 'USD', amount: '1.00' },
    };
    expect(summary(await post(tpp, `/v1/periodic-payments/${sepa}`, order))).toEqual([
      400,
      'PAYMENT_FAILED',
      'instructedAmount.currency',
    ]);
  });
});

describe('the life of a payment that is not instant (contract E3.1)', () => {
  it.each([sepa, budget, crossBorder] as const)(
    '%s: is settled one minute after the signature, and stays ACCP without the funds',
    async (product) => {
      const token = await tpp.applicationToken();
      const [payer, poor] = [await openEuroPerson(tpp), await openEuroPerson(tpp, '0.99')];
      const at = `/v1/payments/${product}`;
      const signed = async (by: EuroPsu): Promise<string> => {
        const answer = await post(tpp, at, euroBody(product, by.iban, amount('1.00')));
        const { path, scaRedirect } = parseInitiated(answer, at);
        await walkAndApprove(world.browser(), scaRedirect, by);
        return path;
      };
      const paths = [await signed(payer), await signed(poor)];
      const statuses = async (): Promise<unknown[]> =>
        Promise.all(paths.map(async (path) => readStatus(tpp, token, path)));
      expect(await statuses()).toEqual([{ transactionStatus: 'ACCP' }, { transactionStatus: 'ACCP' }]);
      await world.advance('PT1M');
      expect(await statuses()).toMatchObject([
        { transactionStatus: 'ACSC', fundsAvailable: true },
        { transactionStatus: 'ACCP', fundsAvailable: false },
      ]);
    },
  );
});

describe('a budget payment in euro (contract E2.6)', () => {
  it('shows what was sent, and the history shows the whole text', async () => {
    const payer = await openEuroPerson(tpp);
    const body = euroBody(budget, payer.iban, {
      creditorAccount: at8.creditorAccount,
      creditorAgent: 'BNBGBGSD',
      [details]: eik,
      [text]: 'ДДС 12.2026',
    });
    const { path, scaRedirect } = parseInitiated(
      await post(tpp, `/v1/payments/${budget}`, body),
      `/v1/payments/${budget}`,
    );
    await walkAndApprove(world.browser(), scaRedirect, payer);
    await world.advance('PT1M');
    await world.advance('PT5M');
    const token = await tpp.applicationToken();
    expect(await readStatus(tpp, token, path)).toMatchObject({ transactionStatus: 'ACSC' });
    expect(parseJson(await tpp.call('GET', path, token))).toMatchObject({ [text]: 'ДДС 12.2026' });
    const day = dayFrom(await sandboxNow(world), 5);
    const { tokens } = await consented(world, tpp, payer, consentBody([payer.iban], day));
    const [account] = await resourceIds(tpp, tokens.access_token);
    const history = await tpp.call(
      'GET',
      `/v1/accounts/${account}/transactions`,
      tokens.access_token,
      present,
    );
    expect(parseJson(history)).toMatchObject({
      transactions: {
        booked: expect.arrayContaining([
          expect.objectContaining({ remittanceInformationUnstructured: '999999995    ДДС 12.2026' }),
        ]),
      },
    });
  });
});
