import {
  budgetPurposes,
  chargeBearers,
  chargeBearersByProduct,
  type CodeTable,
  serviceLevels,
  serviceLevelsByProduct,
} from '@xs2a/domain/payment/fields/code-tables';
import { purposeCodes } from '@xs2a/domain/payment/fields/purpose-codes';
import type { PaymentProduct } from '@xs2a/domain/payment/payment-products';
import type { PaymentStandard } from '@xs2a/domain/payment/standards/payment-standard';
import { standardOf } from '@xs2a/domain/payment/standards/standards';
import type { Profile } from '@xs2a/domain/profile/profile';
import type { OpenApiDocument } from '@xs2a/gateway/openapi/document';
import { type Html, html } from '@xs2a/html/html';
import { page } from '../pages/layout.js';
import { codesPath, referenceTree } from './tree.js';

/** The codes of a body field (spec 2.4). */
interface CodeList {
  readonly anchor: string;
  readonly title: string;
  readonly field: string;
  readonly codes: CodeTable;
  /** The codes that each product accepts; absent for a field that only one product has. */
  readonly products?: Readonly<Record<PaymentProduct, readonly string[]>>;
}

const lists: readonly CodeList[] = [
  {
    anchor: 'service-levels',
    title: 'Service levels',
    field: 'serviceLevel',
    codes: serviceLevels,
    products: serviceLevelsByProduct,
  },
  {
    anchor: 'charge-bearers',
    title: 'Charge bearers',
    field: 'chargeBearer',
    codes: chargeBearers,
    products: chargeBearersByProduct,
  },
  {
    anchor: 'budget-purpose',
    title: 'Marker of a budget payment',
    field: 'purposeCode',
    codes: budgetPurposes,
  },
];

const budgetTitles: Readonly<Record<string, readonly [anchor: string, title: string]>> = {
  regulatoryReportType: ['regulatory-report-types', 'Regulatory report types'],
  taxpayerType: ['tax-types', 'Tax types'],
  paymentCategory: ['payment-categories', 'Payment categories'],
};

/** The codes of `budgetPaymentDetails` in the layout of a standard. */
const budgetLists = ({ budgetAttributes }: PaymentStandard): readonly CodeList[] =>
  budgetAttributes.flatMap(({ name, form }) => {
    const heading = budgetTitles[name];
    if (form.kind !== 'code' || heading === undefined) return [];
    const [anchor, title] = heading;
    return [{ anchor, title, field: `budgetPaymentDetails.${name}`, codes: form.codes }];
  });

const listsOf = (standard: PaymentStandard): readonly CodeList[] => [...lists, ...budgetLists(standard)];

const purposeAnchor = 'purpose-codes';
const purposeField = 'remittanceInformationUnstructured';

/** Returns the address of the codes that a field of a payment takes; undefined for a field that takes none. */
export const codesAddressOf = (path: string, standard: PaymentStandard): string | undefined => {
  // The entries of a bulk payment have the fields of a single payment.
  const field = path.replace('payments[].', '');
  const hasPurposes = standard.purposeCodeProducts.length > 0;
  const anchor =
    field === purposeField && hasPurposes
      ? purposeAnchor
      : listsOf(standard).find((list) => list.field === field)?.anchor;
  return anchor === undefined ? undefined : `${codesPath}#${anchor}`;
};

const table = (headings: readonly string[], rows: readonly (readonly (Html | string)[])[]): Html =>
  html`<table>
    <thead>
      <tr>
        ${headings.map((heading) => html`<th scope="col">${heading}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (cells) =>
          html`<tr>
            ${cells.map((cell, at) => html`<td data-label="${headings[at] ?? ''}">${cell}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;

const listShown = (
  { anchor, title, field, codes, products }: CodeList,
  { offered, standard }: { readonly offered: readonly PaymentProduct[]; readonly standard: PaymentStandard },
): Html => {
  const taken = Object.entries(codes).filter(
    ([one]) => products === undefined || standard.products.some((product) => products[product].includes(one)),
  );
  const takers = (one: string): string =>
    offered.filter((product) => products?.[product].includes(one)).join(', ');
  return html`<h2 id="${anchor}">${title}</h2>
    <p class="quiet">Field <code>${field}</code></p>
    ${table(
      ['Code', 'Meaning', ...(products === undefined ? [] : ['Products'])],
      taken.map(([one, meaning]) => [
        html`<code>${one}</code>`,
        meaning,
        ...(products === undefined ? [] : [takers(one)]),
      ]),
    )}`;
};

const purposes = (): Html =>
  html`<h2 id="${purposeAnchor}">Purpose codes</h2>
    <p>
      The text of a SEPA or cross-border transfer, <code>${purposeField}</code>, begins with a
      balance-of-payments code. Layout A: <code>${'<code>%%<payment text>'}</code>, such as
      <code>101%%Invoice 118</code>. Layout B, for a service that is registered with the national bank:
      <code>${'<code>%<reference number>%<payment text>'}</code>, such as <code>711%12345%Invoice 118</code>.
    </p>
    ${table(
      ['Code', 'Layout', 'Meaning'],
      purposeCodes.map(([one, layout, meaning]) => [html`<code>${one}</code>`, layout, meaning]),
    )}`;

/** The page of the codes that fields of a payment take, in the products of the profile. */
export const codesPage = (
  document: OpenApiDocument,
  profile: Pick<Profile, 'products' | 'standard'>,
): Html => {
  const standard = standardOf(profile);
  const body = html`<p class="up"><a href="/reference">API reference</a></p>
    <h1>Codes</h1>
    <p class="lead">
      The codes that fields of a payment take, by field. In tables with products, only those take the code.
    </p>
    <div class="guide">
      ${listsOf(standard).map((list) => listShown(list, { offered: profile.products, standard }))}
      ${standard.purposeCodeProducts.length === 0 ? undefined : purposes()}
    </div>`;
  const tree = { title: 'Pages of the reference', links: referenceTree(document, codesPath) };
  return page({ path: codesPath, title: 'Codes', body, tree });
};
