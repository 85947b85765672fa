import {
  budgetPurposes,
  chargeBearers,
  chargeBearersByProduct,
  type CodeTable,
  paymentCategories,
  regulatoryReportTypes,
  serviceLevels,
  serviceLevelsByProduct,
  taxpayerTypes,
} from '@xs2a/domain/payment/fields/code-tables';
import type { FieldType } from '@xs2a/domain/payment/fields/payment-fields';
import type { PaymentProduct } from '@xs2a/domain/payment/payment-products';
import { purposeCodes } from '@xs2a/domain/payment/fields/purpose-codes';
import { code, escape, table } from './html.js';

/** The code tables (spec 2.4) on the page, each with its own anchor. */
type ByProduct = Readonly<Record<PaymentProduct, readonly string[]>>;

interface CodeList {
  readonly anchor: string;
  readonly title: string;
  /** The body field that contains the code. */
  readonly field: string;
  readonly codes: CodeTable;
  /** The codes that each product accepts; if absent, a budget transfer accepts all of them. */
  readonly products?: ByProduct;
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
  {
    anchor: 'regulatory-report-types',
    title: 'Regulatory report types',
    field: 'budgetPaymentDetails.regulatoryReportType',
    codes: regulatoryReportTypes,
  },
  {
    anchor: 'tax-types',
    title: 'Tax types',
    field: 'budgetPaymentDetails.taxpayerType',
    codes: taxpayerTypes,
  },
  {
    anchor: 'payment-categories',
    title: 'Payment categories',
    field: 'budgetPaymentDetails.paymentCategory',
    codes: paymentCategories,
  },
];

/** The anchor of the section that explains the codes of a field type. */
export const codesAnchors: Partial<Readonly<Record<FieldType, string>>> = {
  ServiceLevelCode: 'service-levels',
  ChargeBearerCode: 'charge-bearers',
  PurposeCode: 'budget-purpose',
  BudgetPaymentDetails: 'regulatory-report-types',
};

const takers = (products: ByProduct, offered: readonly PaymentProduct[], one: string): string =>
  offered
    .filter((product) => products[product].includes(one))
    .map(escape)
    .join(', ');

const listHtml = (
  { anchor, title, field, codes, products }: CodeList,
  offered: readonly PaymentProduct[],
): string => {
  const rows = Object.entries(codes).map(([one, meaning]) => [
    code(one),
    escape(meaning),
    ...(products === undefined ? [] : [takers(products, offered, one)]),
  ]);
  const headings = ['Code', 'Meaning', ...(products === undefined ? [] : ['Products'])];
  return `<h3 id="${anchor}">${escape(title)}: ${code(field)}</h3>${table(title, headings, rows)}`;
};

const purposesHtml =
  (): string => `<h3 id="purpose-codes">Purpose codes: ${code('remittanceInformationUnstructured')}</h3>
<p>The text of a SEPA or cross-border transfer begins with a balance-of-payments code. Layout A: ${code('<code>%%<payment text>')}, such as ${code('101%%Invoice 118')}. Layout B, for a service that is registered with the national bank: ${code('<code>%<reference number>%<payment text>')}, such as ${code('711%12345%Invoice 118')}.</p>
${table(
  'Purpose codes',
  ['Code', 'Layout', 'Meaning'],
  purposeCodes.map(([one, layout, meaning]) => [code(one), layout, escape(meaning)]),
)}`;

export const codesHtml = (offered: readonly PaymentProduct[]): string =>
  [...lists.map((list) => listHtml(list, offered)), purposesHtml()].join('\n');
