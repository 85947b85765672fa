import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exampleBodies } from '@xs2a/domain/payment/example-bodies';
import { type LevProduct, levProducts } from '@xs2a/domain/payment/payment-products';
import { parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { listCodes, listPaths, readStatus } from '@xs2a/test-support/requests';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
let psu: FreshPsu;
beforeAll(async () => {
  world = await World.ofLane();
  tpp = world.tpp();
  psu = await world.person('1000.00');
});
afterAll(async () => world.stop());

const makeBody = (product: LevProduct, changes: object = {}): Record<string, unknown> => ({
  ...exampleBodies[product],
  debtorAccount: { iban: psu.accounts[0]?.iban },
  ...changes,
});
const post = async (product: string, body: unknown) =>
  tpp.call('POST', `/v1/payments/${product}`, await tpp.applicationToken(), { json: body });

/** The products that can be paid in the sandbox, which has only BGN. */
const payable: readonly LevProduct[] = levProducts.filter((one) => one !== 'SEPA-Credit-Transfer');
const typeByProduct = {
  'domestic-budget-transfer-BGN': 'DOMESTIC',
  'domestic-credit-transfer-BGN': 'DOMESTIC',
};

describe('the four products in the sandbox (spec 1, 2.4, 4.5)', () => {
  it.each(payable)('%s: is initiated, signed and settled with the details as submitted', async (product) => {
    const answer = await post(product, makeBody(product));
    expect(answer.status).toBe(201);
    const { paymentId, _links } = parseJson<{ paymentId: string; _links: { scaRedirect: { href: string } } }>(
      answer,
    );
    const path = `/v1/payments/${product}/${paymentId}`;
    expect(answer.headers.get('location')).toBe(path);
    await walkAndApprove(world.browser(), _links.scaRedirect.href, psu);
    await world.advance('PT1M');
    const token = await tpp.applicationToken();
    expect(await readStatus(tpp, token, path)).toEqual({ transactionStatus: 'ACSC', fundsAvailable: true });
    expect(parseJson(await tpp.call('GET', path, token))).toEqual({
      ...makeBody(product),
      transactionStatus: 'ACSC',
      fundsAvailable: true,
      paymentType: Reflect.get(typeByProduct, product) ?? 'FOREIGN',
    });
  });

  it('include SEPA, but it returns 400 PAYMENT_FAILED because there are no euro accounts (spec 1.6)', async () => {
    const answer = await post('SEPA-Credit-Transfer', makeBody('SEPA-Credit-Transfer'));
    expect([answer.status, listCodes(answer), listPaths(answer)]).toEqual([
      400,
      ['PAYMENT_FAILED'],
      ['instructedAmount.currency'],
    ]);
  });

  it.each([
    ['Domestic-Budget-Transfers-BGN', 'domestic-budget-transfer-BGN'],
    ['cross-border-transfers', 'cross-border-credit-transfer'],
    ['CROSS-BORDER-CREDIT-TRANSFERS', 'cross-border-credit-transfer'],
  ] as const)('can also be initiated as %s (contract 1)', async (spelling, product) => {
    const answer = await post(spelling, makeBody(product));
    expect(answer.headers.get('location')).toMatch(new RegExp(`^/v1/payments/${product}/`));
  });

  it('reject each body under each of the other products, and name the matching product if only the type differs', async () => {
    let refused = 0;
    for (const product of payable)
      for (const other of levProducts) {
        if (other === product) continue;
        const answer = await post(other, makeBody(product));
        expect([400, 403]).toContain(answer.status);
        if (answer.status === 403) expect(listCodes(answer)).toEqual(['PRODUCT_INVALID']);
        refused += 1;
      }
    expect(refused).toBe(9);
    const { chargeBearer: _bearer, ...domestic } = makeBody('cross-border-credit-transfer', {
      serviceLevel: 'NURG',
    });
    const answer = await post('domestic-credit-transfer-BGN', domestic);
    expect([answer.status, listCodes(answer)]).toEqual([403, ['PRODUCT_INVALID']]);
    expect(answer.text).toContain('cross-border-credit-transfer');
  });

  it('return 403 PRODUCT_INVALID for a payment read under another product (contract 3)', async () => {
    const { paymentId } = parseJson<{ paymentId: string }>(
      await post('domestic-budget-transfer-BGN', makeBody('domestic-budget-transfer-BGN')),
    );
    const token = await tpp.applicationToken();
    for (const product of levProducts.filter((one) => one !== 'domestic-budget-transfer-BGN')) {
      const answer = await tpp.call('GET', `/v1/payments/${product}/${paymentId}/status`, token);
      expect([answer.status, listCodes(answer)]).toEqual([403, ['PRODUCT_INVALID']]);
    }
  });

  it('report every invalid detail of a budget payment with its path, in field order (spec 2.4)', async () => {
    const answer = await post(
      'domestic-budget-transfer-BGN',
      makeBody('domestic-budget-transfer-BGN', {
        ultimateDebtor: undefined,
        creditorAccount: { iban: 'BG26RZBB91551023456789' },
        budgetPaymentDetails: {
          regulatoryReportType: '8',
          taxpayerId: '123',
          taxpayerType: 'egn',
          paymentCategory: '11',
          fromDate: '2026-10-31',
          endDate: '2026-10-01',
        },
      }),
    );
    expect([answer.status, listPaths(answer)]).toEqual([
      400,
      [
        'ultimateDebtor',
        'creditorAccount.iban',
        ...[
          'regulatoryReportType',
          'taxpayerId',
          'taxpayerType',
          'paymentCategory',
          'endDate',
          'obligedPersonName',
        ].map((name) => `budgetPaymentDetails.${name}`),
      ],
    ]);
  });
});
