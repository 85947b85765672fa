import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EuroProduct } from '@xs2a/domain/payment/payment-products';
import {
  authorised,
  consentBody,
  createConsent,
  dayFrom,
  listCodes,
  listPaths,
  sandboxNow,
} from '@xs2a/test-support/requests';
import { bodyOf } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { euroBody, openEuroPerson, post } from './euro-world.js';

let world: World;
let tpp: TppClient;
beforeAll(async () => {
  world = await World.start(undefined, 'bg-euro-production');
  tpp = world.tpp();
});
afterAll(async () => world.stop());

interface Created {
  readonly transactionFees: { readonly currency: string; readonly amount: string };
  readonly estimatedTotalAmount: { readonly currency: string; readonly amount: string };
  readonly _links: { readonly scaRedirect: { readonly href: string } };
}
const create = async (product: EuroProduct, iban: string, change: object = {}): Promise<Created> =>
  bodyOf<Created>(await post(tpp, `/v1/payments/${product}`, euroBody(product, iban, change)), 201);
const inCurrency = (currency: string, value = '10.00') => ({ instructedAmount: { currency, amount: value } });

describe('the production profile in euro (contract E1.2)', () => {
  it('has fees in EUR, also for a payment that names neither service level nor charge bearer', async () => {
    const { iban } = await openEuroPerson(tpp);
    const bare = { serviceLevel: undefined, chargeBearer: undefined };
    const fees = [
      await create('SEPA-Credit-Transfer', iban, bare),
      await create('instant-SEPA-credit-transfer', iban, bare),
      await create('domestic-budget-transfer-EUR', iban, bare),
      await create('cross-border-credit-transfer', iban),
    ].map(({ transactionFees: { amount, currency } }) => `${amount} ${currency}`);
    expect(fees).toEqual(['0.40 EUR', '0.40 EUR', '0.40 EUR', '10.00 EUR']);
  });

  it('converts from EUR at a rate of EUR for one unit, which the PSU sees', async () => {
    const psu = await openEuroPerson(tpp);
    const created = await create('cross-border-credit-transfer', psu.iban, inCurrency('USD', '100.00'));
    expect(created.estimatedTotalAmount).toEqual({ currency: 'EUR', amount: '98.50' });
    const pages: string[] = [];
    await walkAndApprove(world.browser(), created._links.scaRedirect.href, psu, {
      watch: (_step, page) => pages.push(page.html),
    });
    expect(pages.some((page) => page.includes('1 USD = 0.885 EUR'))).toBe(true);
  });

  it('takes twelve currencies, and BGN is none of them', async () => {
    const { iban } = await openEuroPerson(tpp);
    for (const currency of 'EUR USD JPY CHF AUD CAD DKK HUF NOK SEK PLN RON'.split(' '))
      await create('cross-border-credit-transfer', iban, inCurrency(currency, '10'));
    for (const currency of ['BGN', 'GBP']) {
      const body = euroBody('cross-border-credit-transfer', iban, inCurrency(currency));
      const answer = await post(tpp, '/v1/payments/cross-border-credit-transfer', body);
      expect([answer.status, listCodes(answer), listPaths(answer)]).toEqual([
        400,
        ['PAYMENT_FAILED'],
        ['instructedAmount.currency'],
      ]);
    }
  });

  it('gives a consent and its refresh token up to 180 days', async () => {
    const psu = await openEuroPerson(tpp);
    const now = await sandboxNow(world);
    const body = consentBody([psu.iban], dayFrom(now, 200));
    const { consentId } = bodyOf<{ consentId: string }>(await createConsent(tpp, psu.psuId, body), 201);
    const read = await tpp.call('GET', `/v1/consents/${consentId}`, await tpp.applicationToken('PSP_AI'));
    expect(parseJson(read)).toMatchObject({ validUntil: dayFrom(now, 180) });
    const tokens = await authorised(world, tpp, psu, 'PSP_AI', consentId);
    const lifetime: unknown = Reflect.get(tokens, 'refresh_token_expires_in');
    expect(Number(lifetime) / 86_400).toBeCloseTo(180, 0);
  });

  it('offers no bulk payments, and names the successor of a product that ended all the same', async () => {
    const offered = await post(tpp, '/v1/bulk-payments/SEPA-Credit-Transfer', {});
    expect([offered.status, listCodes(offered)]).toEqual([403, ['PRODUCT_INVALID']]);
    for (const service of ['payments', 'periodic-payments', 'bulk-payments']) {
      const ended = await post(tpp, `/v1/${service}/domestic-budget-transfer-BGN`, {});
      expect([ended.status, listCodes(ended)]).toEqual([404, ['PRODUCT_UNKNOWN']]);
      expect(ended.text).toContain('domestic-budget-transfer-EUR');
    }
  });
});
