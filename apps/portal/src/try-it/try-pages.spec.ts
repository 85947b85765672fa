import { describe, expect, it } from '@jest/globals';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { openApiDocument } from '@xs2a/gateway/openapi/document';
import { tryFormOf } from './inputs.js';
import { tryPage } from './try-pages.js';

const baseUrl = 'http://127.0.0.1:8080';
const session = { csrf: 'csrf', tpp: { clientId: 'id', clientSecret: 'secret' } };
const pageIn = (
  name: 'sandbox' | 'bg-euro',
  sent: Readonly<Record<string, string>> = {},
  operation = 'initiatePayment',
): string => {
  const profile = makeProfile(name);
  const document = openApiDocument({ baseUrl, pagesUrl: baseUrl, sandbox: true, profile });
  const form = tryFormOf(document, operation);
  if (form === undefined) throw new Error('no form');
  return tryPage({ session, form, sent: new URLSearchParams(sent) }).text;
};
const optionsOf = (page: string): string[] =>
  [...page.matchAll(/<option[^>]*>([^<]*)</g)].map(([, text = '']) => text.trim());

describe('the payment form of Try it', () => {
  it('offers the products that the bank can pay, and states why the bank refuses the others', () => {
    const page = pageIn('sandbox');
    expect(optionsOf(page)).toEqual(
      expect.arrayContaining(['domestic-credit-transfer-BGN', 'domestic-budget-transfer-BGN']),
    );
    expect(optionsOf(page)).not.toContain('SEPA-Credit-Transfer');
    expect(page).not.toContain('body=SEPA-Credit-Transfer');
    expect(page.replaceAll(/\s+/g, ' ')).toMatch(
      /Not possible here:.*<code>SEPA-Credit-Transfer<\/code> This bank accepts only BGN, so a payment in EUR returns 400 PAYMENT_FAILED here\. Send BGN to another product\./,
    );
  });

  it('preselects the product of a repeated call, even if the bank refuses the product', () => {
    const page = pageIn('sandbox', { 'path.payment-product': 'SEPA-Credit-Transfer' });
    expect(page).toMatch(/<option selected>SEPA-Credit-Transfer</);
  });

  it('offers SEPA credit transfers at a bank that can pay them', () => {
    const page = pageIn('bg-euro');
    expect(optionsOf(page)).toContain('SEPA-Credit-Transfer');
    expect(page).toContain('body=SEPA-Credit-Transfer');
  });
});

describe('the consent form of Try it', () => {
  it('has a person at first, without whom the bank refuses the example', () => {
    const input = /<input\s+name="header\.PSU-ID"[^>]*>/.exec(pageIn('sandbox', {}, 'createConsent'))?.[0];
    expect(input).toContain('value="ivan"');
  });
});
