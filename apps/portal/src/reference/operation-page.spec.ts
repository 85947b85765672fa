import { describe, expect, it } from '@jest/globals';
import { bulkMembers } from '@xs2a/domain/bulk/validate-bulk';
import { scheduleFields } from '@xs2a/domain/order/validate-schedule';
import type { PaymentStandard } from '@xs2a/domain/payment/standards/payment-standard';
import { standardOf } from '@xs2a/domain/payment/standards/standards';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { openApiDocument } from '@xs2a/gateway/openapi/document';
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
  (new RegExp(`id="${id.replaceAll('.', '\\.')}"[^>]*>([\\s\\S]*?)</dd>`).exec(page)?.[1] ?? '')
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
