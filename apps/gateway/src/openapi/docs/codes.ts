import {
  budgetPurposes,
  chargeBearers,
  chargeBearersByProduct,
  type CodeTable,
  serviceLevels,
  serviceLevelsByProduct,
} from '@xs2a/domain/payment/fields/code-tables';
import type { FieldType } from '@xs2a/domain/payment/fields/payment-fields';
import type { PaymentStandard } from '@xs2a/domain/payment/standards/payment-standard';
import { standardOf } from '@xs2a/domain/payment/standards/standards';
import type { Profile } from '@xs2a/domain/profile/profile';
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
];

const budgetHeadings: Readonly<Record<string, { readonly anchor: string; readonly title: string }>> = {
  regulatoryReportType: { anchor: 'regulatory-report-types', title: 'Regulatory report types' },
  taxpayerType: { anchor: 'tax-types', title: 'Tax types' },
  paymentCategory: { anchor: 'payment-categories', title: 'Payment categories' },
};

const anchors: Partial<Readonly<Record<FieldType, string>>> = {
  ServiceLevelCode: 'service-levels',
  ChargeBearerCode: 'charge-bearers',
  PurposeCode: 'budget-purpose',
};

/** The anchor of the first section that explains the codes of a field type. Undefined if the type has no codes. */
export const codesAnchor = (type: FieldType, standard: PaymentStandard): string | undefined =>
  type === 'BudgetPaymentDetails' ? budgetLists(standard)[0]?.anchor : anchors[type];

const takers = (products: ByProduct, offered: readonly PaymentProduct[], one: string): string =>
  offered
    .filter((product) => products[product].includes(one))
    .map(escape)
    .join(', ');

const listHtml = (
  { anchor, title, field, codes, products }: CodeList,
  offered: readonly PaymentProduct[],
  standard: PaymentStandard,
): string => {
  const rows = Object.entries(codes)
    .filter(
      ([one]) =>
        products === undefined || standard.products.some((product) => products[product].includes(one)),
    )
    .map(([one, meaning]) => [
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

/** The codes of `budgetPaymentDetails` in the layout of a standard. */
const budgetLists = ({ budgetAttributes }: PaymentStandard): readonly CodeList[] =>
  budgetAttributes.flatMap(({ name, form }) => {
    const heading = budgetHeadings[name];
    if (form.kind !== 'code' || heading === undefined) return [];
    return [{ ...heading, field: `budgetPaymentDetails.${name}`, codes: form.codes }];
  });

/** The code tables of a profile's products. */
export const codesHtml = (profile: Pick<Profile, 'products' | 'standard'>): string => {
  const standard = standardOf(profile);
  return [
    ...[...lists, ...budgetLists(standard)].map((list) => listHtml(list, profile.products, standard)),
    ...(standard.purposeCodeProducts.length === 0 ? [] : [purposesHtml()]),
  ].join('\n');
};
