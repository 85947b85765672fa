import { describe, expect, it } from '@jest/globals';
import {
  budgetPurposes,
  chargeBearers,
  paymentCategories,
  regulatoryReportTypes,
  serviceLevels,
  taxpayerTypes,
} from '@xs2a/domain/payment/fields/code-tables';
import { purposeCodes } from '@xs2a/domain/payment/fields/purpose-codes';
import { standardOf } from '@xs2a/domain/payment/standards/standards';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { openApiDocument } from '@xs2a/gateway/openapi/document';
import { codesAddressOf, codesPage } from './codes-page.js';
import { operationPage } from './operation-page.js';
import { listOperations } from './operations.js';

const baseUrl = 'http://127.0.0.1:8080';
const pageOf = (name: 'sandbox' | 'bg-euro') => {
  const profile = makeProfile(name);
  const document = openApiDocument({ baseUrl, pagesUrl: baseUrl, sandbox: true, profile });
  return { name, document, standard: standardOf(profile), text: codesPage(document, profile).text };
};
const inLeva = pageOf('sandbox');
const inEuro = pageOf('bg-euro');

describe('the page of the codes (spec 2.4)', () => {
  const rowsUnder = (anchor: string): string[] => {
    const section = inLeva.text.slice(inLeva.text.indexOf(`id="${anchor}"`));
    const body = /<tbody>(.*?)<\/tbody>/s.exec(section)?.[1] ?? '';
    return [...body.matchAll(/<tr>\s*<td[^>]*>\s*<code>([^<]*)<\/code>/g)].map(([, one]) => one ?? '');
  };

  it.each([
    ['service-levels', Object.keys(serviceLevels)],
    ['charge-bearers', Object.keys(chargeBearers)],
    ['budget-purpose', Object.keys(budgetPurposes)],
    ['regulatory-report-types', Object.keys(regulatoryReportTypes)],
    ['tax-types', Object.keys(taxpayerTypes)],
    ['payment-categories', Object.keys(paymentCategories)],
    ['purpose-codes', purposeCodes.map(([one]) => one)],
  ])('lists all: %s', (anchor, codes) => {
    expect(rowsUnder(anchor)).toEqual(codes);
  });

  it('has only the codes of the standard of the bank (contract E2.1)', () => {
    for (const gone of ['NURG', 'id="purpose-codes"', 'Regulatory report types'])
      expect([inLeva.text.includes(gone), inEuro.text.includes(gone)]).toEqual([true, false]);
    expect(inEuro.text).toContain('id="charge-bearers"');
  });

  it.each([inLeva, inEuro])(
    'is linked from each field that takes codes: $name',
    ({ document, standard, text }) => {
      const links = listOperations(document)
        .filter(({ path, method }) => method === 'POST' && path.endsWith('{payment-product}'))
        .map((placed) => operationPage({ document, baseUrl, standard }, placed).text)
        .map((page) => [...page.matchAll(/href="\/reference\/codes#([^"]+)"/g)].map(([, anchor]) => anchor));
      const anchors = [...text.matchAll(/<h2 id="([^"]+)"/g)].map(([, anchor]) => anchor);
      expect(new Set(links.flat())).toEqual(new Set(anchors));
      expect(links.map((ofPage) => ofPage.length > 0)).toEqual(links.map(() => true));
      expect(codesAddressOf('creditorName', standard)).toBeUndefined();
    },
  );

  it('takes the address of no operation', () => {
    for (const { document } of [inLeva, inEuro])
      expect(listOperations(document).map(({ operation }) => operation.operationId)).not.toContain('codes');
  });
});
