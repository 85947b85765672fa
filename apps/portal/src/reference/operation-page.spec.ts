import { describe, expect, it } from '@jest/globals';
import { bulkMembers } from '@xs2a/domain/bulk/validate-bulk';
import { scheduleFields } from '@xs2a/domain/order/validate-schedule';
import { currencies } from '@xs2a/domain/money/currencies';
import { frequencies } from '@xs2a/domain/order/periodic-schedule';
import type { PaymentStandard } from '@xs2a/domain/payment/standards/payment-standard';
import { standardOf } from '@xs2a/domain/payment/standards/standards';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { openApiDocument } from '@xs2a/gateway/openapi/document';
import { fieldRules } from '@xs2a/refusals/field-rules';
import { ruleOfField } from '@xs2a/refusals/rules';
import { rewordedRule } from '../errors/rewordings.js';
import { conditionalFields } from './field-conditions.js';
import { indexPage } from './index-page.js';
import { operationPage } from './operation-page.js';
import { listOperations } from './operations.js';

const baseUrl = 'http://127.0.0.1:8080';
const profiles = ['sandbox', 'production', 'bg-euro', 'bg-euro-production'] as const;
const made = profiles.map((name) => {
  const profile = makeProfile(name);
  const sandbox = !name.includes('production');
  const document = openApiDocument({ baseUrl, pagesUrl: baseUrl, sandbox, profile });
  return { name, reference: { document, baseUrl, standard: standardOf(profile) } };
});
/** The fields that a product accepts; the others are only in answers. */
const sentFields = ({ fields, products }: PaymentStandard): string[] =>
  fields.filter(({ rules }) => products.some((product) => rules[product] !== 'n.a.')).map(({ path }) => path);
/** The page of an operation; empty if the profile does not have the operation. */
const pageOf = (profile: (typeof profiles)[number], id: string): string =>
  made
    .filter(({ name }) => name === profile)
    .flatMap(({ reference }) =>
      listOperations(reference.document)
        .filter(({ operation }) => operation.operationId === id)
        .map((placed) => operationPage(reference, placed).text),
    )
    .join('');
/** The text of a field on a page, without markup. */
const fieldOf = (page: string, id: string): string =>
  (new RegExp(`id="${id.replaceAll(/[.[\]]/g, '\\$&')}"[^>]*>([\\s\\S]*?)</dd>`).exec(page)?.[1] ?? '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

describe('a page of the reference', () => {
  it.each(made)('in the profile $name contains every text, and each anchor once', ({ reference }) => {
    const placed = listOperations(reference.document);
    const all = [indexPage(reference.document), ...placed.map((one) => operationPage(reference, one))];
    for (const { text } of all) {
      expect(text).not.toMatch(/undefined|\[object |\$ref|NaN/);
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    }
    expect(placed.length).toBeGreaterThan(30);
  });

  it.each(made)('in the profile $name has every field that a payment accepts', ({ name, reference }) => {
    const page = pageOf(name, 'initiatePayment');
    for (const path of sentFields(reference.standard))
      expect([path, fieldOf(page, `body-${path}`)]).toEqual([path, expect.stringMatching(/\w/)]);
  });

  it.each([
    ['initiatePeriodicPayment', scheduleFields],
    ['initiateBulkPayment', bulkMembers],
  ])('has every field of its own: %s', (id, paths) => {
    const page = pageOf('sandbox', id);
    for (const path of paths)
      expect([path, fieldOf(page, `body-${path}`)]).toEqual([path, expect.stringMatching(/\w/)]);
  });

  it('says what each product needs of a field, if they differ', () => {
    const page = pageOf('sandbox', 'initiatePayment');
    expect(fieldOf(page, 'body-ultimateDebtor')).toMatch(
      /required domestic-budget-transfer-BGN not accepted domestic-credit-transfer-BGN, SEPA/,
    );
    expect(fieldOf(page, 'body-creditorName')).toContain('required');
    expect(fieldOf(page, 'body-creditorName')).not.toContain('not accepted');
  });

  it('shows each type of a field that accepts several', () => {
    expect(fieldOf(pageOf('sandbox', 'createConsent'), 'body-combinedServiceIndicator')).toMatch(
      /^combinedServiceIndicator boolean or string required/,
    );
  });

  it('shows the codes and the meaning of a field for each product if the products differ', () => {
    const page = pageOf('sandbox', 'initiatePayment');
    expect(fieldOf(page, 'body-serviceLevel')).toMatch(
      /domestic-credit-transfer-BGN, domestic-budget-transfer-BGN one of NURG, URGP .*SEPA-Credit-Transfer always SEPA .*cross-border-credit-transfer one of SDVA, NEXT, SPOT, URGP /,
    );
    expect(fieldOf(page, 'body-chargeBearer')).toMatch(
      /SEPA-Credit-Transfer always SLEV .*cross-border-credit-transfer one of DEBT, CRED, SHAR /,
    );
    expect(fieldOf(page, 'body-debtorAccount.iban')).not.toContain('cross-border');
  });

  it.each([
    ['planFault', 'operation', ['initiatePayment', 'startPaymentAuthorisation', 'confirmFunds']],
    ['createPsu', 'accounts[].currency', currencies.map(({ code }) => code)],
    ['initiatePeriodicPayment', 'frequency', Object.keys(frequencies)],
  ])('lists every code that a field of %s accepts: %s', (id, field, codes) => {
    const page = pageOf('sandbox', id);
    const [, shown = ''] = fieldOf(page, `body-${field}`).split(/The \d+ codes /);
    expect(shown.split(' ')).toEqual(expect.arrayContaining(codes));
  });

  it.each([
    ['jwks', 'kid'],
    ['discovery', 'pushed_authorization_request_endpoint'],
  ])('lists the fields of the successful answer of %s', (id, field) => {
    expect(pageOf('sandbox', id)).toMatch(
      new RegExp(`The \\d+ fields of 200[^]*<code>(?:\\w+\\[\\]\\.)?${field}</code>`),
    );
  });

  it.each([
    ['readPaymentStatus', ['FUNDS_NOT_AVAILABLE', 'PAYMENT_FAILED']],
    ['readBasketStatus', ['PAYMENT_FAILED']],
  ])('links tppMessages in a status to the pages of the possible codes: %s', (id, codes) => {
    const [, shown = ''] = /<code>tppMessages<\/code>([^]*?)<\/dd>/.exec(pageOf('sandbox', id)) ?? [];
    expect([...shown.matchAll(/href="\/errors\/(\w+)"/g)].map(([, code]) => code)).toEqual(codes);
  });

  it('states which addresses a sandbox accepts in a header, and links each such header to the guide', () => {
    const at = (profile: (typeof profiles)[number]): string =>
      fieldOf(pageOf(profile, 'initiatePayment'), 'header-TPP-Notification-URI');
    expect(at('sandbox')).toContain('A sandbox on your machine also pushes to http at a loopback host');
    expect(at('production')).not.toContain('loopback');
    expect(pageOf('sandbox', 'createConsent').split('#addresses-of-your-application')).toHaveLength(4);
  });

  it('shows the number of fields of an answer, and uses the singular for one field', () => {
    expect(pageOf('sandbox', 'readPaymentAuthorisation')).toContain('The field of 200');
    for (const { reference } of made)
      for (const placed of listOperations(reference.document))
        expect(operationPage(reference, placed).text).not.toContain('The 1 fields');
  });

  it.each(['token', 'pushAuthorizationRequest', 'revokeToken'])(
    'describes each field of a form, the encoding of the form and its errors: %s',
    (id) => {
      const page = pageOf('sandbox', id);
      expect(page).toContain('application/x-www-form-urlencoded');
      expect(page).toContain('invalid_request');
      expect(page).not.toContain('FORMAT_ERROR');
      const fields = [...page.matchAll(/id="(body-[^"]+)"/g)].flatMap(([, field]) => field ?? []);
      expect(fields.length).toBeGreaterThan(4);
      for (const field of fields)
        expect([field, new RegExp(`id="${field}"[^]*?<dd>([^]*?)</dd>`).exec(page)?.[1]?.trim()]).toEqual([
          field,
          expect.stringMatching(/\w/),
        ]);
    },
  );

  it('describes an answer as without a body only if the operation returns no body', () => {
    for (const { reference } of made)
      for (const placed of listOperations(reference.document)) {
        const [, { content } = { content: undefined }] =
          Object.entries(placed.operation.responses).find(([status]) => status.startsWith('2')) ?? [];
        const { text } = operationPage(reference, placed);
        if (content !== undefined) expect(text).not.toContain('without a body');
      }
  });

  it('says which fields are needed only with others, as the table of fields says', () => {
    for (const { reference, name } of made) {
      const conditional = reference.standard.fields.filter(({ rules }) =>
        reference.standard.products.some((product) => rules[product] === 'conditional'),
      );
      expect(conditional.length).toBeGreaterThan(0);
      const page = pageOf(name, 'initiatePayment');
      for (const { path } of conditional) expect(fieldOf(page, `body-${path}`)).toContain('conditional');
    }
  });

  it.each([
    ['initiatePayment', 'creditorAgent', 'Mandatory if creditorAccount has no IBAN'],
    ['initiatePayment', 'chargeBearer', 'It is required unless the creditor&#39;s bank'],
    ['initiatePeriodicPayment', 'dayOfExecution', '400 with Daily, Weekly and EveryTwoWeeks'],
    ['initiatePeriodicPayment', 'monthsOfExecution', 'mandatory with MonthlyVariable and only there'],
    ['initiateBulkPayment', 'payments[].creditorAgent', 'Mandatory if creditorAccount has no IBAN'],
    ['createConsent', 'recurringIndicator', 'needs frequencyPerDay 1'],
  ])('shows the rule that states when a field is required or refused: %s %s', (id, path, condition) => {
    const shown = fieldOf(pageOf('sandbox', id), `body-${path}`).replaceAll(/ (?=[,;)])|(?<=\() /g, '');
    expect(shown).toContain('Rule: ');
    expect(shown).toContain(condition);
  });

  it('omits conditions that apply only to banks of the other payment standard', () => {
    for (const name of ['bg-euro', 'bg-euro-production'] as const)
      expect(fieldOf(pageOf(name, 'initiatePayment'), 'body-chargeBearer')).not.toContain('BGN');
  });

  it('shows as a condition every rule that makes a field depend on other fields', () => {
    const condition =
      /mandatory with|needs|only if|only there|in place of|unless|must be the same|only while/;
    const conditional = Object.keys(fieldRules).filter((key) => {
      const [operation = '', name = ''] = key.split(' ');
      return condition.test(rewordedRule(ruleOfField(operation, name)?.text ?? ''));
    });
    expect(conditional.length).toBeGreaterThan(5);
    expect(conditional.filter((key) => !conditionalFields.has(key))).toEqual([]);
  });

  it.each([
    ['listTransactions', 'ignored', 'PARAMETER_NOT_SUPPORTED'],
    ['listConsents', 'ignored', 'PARAMETER_NOT_SUPPORTED'],
    ['createConsent', 'ignored', ''],
    ['authorize', '', ''],
  ])('states what the operation does with unlisted query parameters: %s', (id, ignored, refused) => {
    const page = pageOf('sandbox', id);
    expect(page).toContain('<h1>');
    const [, shown = ''] = /Query parameters that are not listed are (\w+)\./.exec(page) ?? [];
    const [, code = ''] = /pageIndex<\/code> is 400\s*<code>(\w+)/.exec(page) ?? [];
    expect([shown, code]).toEqual([ignored, refused]);
  });

  it('folds the headers without effect, and shows the others first', () => {
    const page = pageOf('sandbox', 'initiatePayment');
    const [shown = '', folded = ''] = page.split('<details class="idle">');
    expect(shown).toContain('TPP-Redirect-URI');
    expect(shown).not.toContain('PSU-Geo-Location');
    expect(folded).toContain('PSU-Geo-Location');
    expect(folded).not.toContain('without effect here');
  });

  it('names the first error of a wrong value that is well-formed', () => {
    const page = pageOf('sandbox', 'initiatePayment');
    expect(fieldOf(page, 'path-payment-product')).toContain('If wrong: 404 PRODUCT_UNKNOWN');
    expect(fieldOf(page, 'header-PSU-Corporate-ID')).toContain('If wrong: 401 CORPORATE_ID_INVALID');
    expect(fieldOf(page, 'header-TPP-Redirect-URI')).not.toContain('If wrong');
    expect(fieldOf(page, 'header-Idempotency-Key')).toContain('If wrong: 409 STATUS_INVALID');
    expect(fieldOf(page, 'body-instructedAmount.currency')).toContain('If wrong: 400 PAYMENT_FAILED');
  });

  it('shows the error for a currency in which the PSU has no account (contract 7)', () => {
    const page = pageOf('sandbox', 'confirmFunds');
    for (const field of ['account.currency', 'instructedAmount.currency'])
      expect(fieldOf(page, `body-${field}`)).toContain('If wrong: 400 FORMAT_ERROR');
  });

  it('shows no error for the Idempotency-Key of a DELETE, because this key is scoped to the path', () => {
    const ids = ['cancelPayment', 'cancelPeriodicPayment', 'cancelBulkPayment', 'deleteConsent'];
    for (const id of ids) {
      const key = fieldOf(pageOf('sandbox', id), 'header-Idempotency-Key');
      expect([id, key]).toEqual([id, expect.stringContaining('belongs to one TPP, method and path')]);
      expect(key).not.toContain('If wrong');
    }
  });

  it('shows the products and the currency of the running profile', () => {
    expect(pageOf('bg-euro', 'initiatePayment')).toContain('/v1/payments/SEPA-Credit-Transfer');
    expect(pageOf('bg-euro', 'initiatePayment')).not.toMatch(/&quot;BGN&quot;/);
    expect(pageOf('production', 'createPsu')).toBe('');
  });

  it('escapes every text of the description', () => {
    const [{ reference } = made[0] ?? { reference: undefined }] = made;
    const [placed] = reference === undefined ? [] : listOperations(reference.document);
    if (reference === undefined || placed === undefined) throw new Error('no operation');
    const operation = { ...placed.operation, summary: '<img src=x>', description: '<script>x</script>' };
    expect(operationPage(reference, { ...placed, operation }).text).not.toMatch(/<img|<script>x/);
  });
});
