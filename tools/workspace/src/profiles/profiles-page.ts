import type { PaymentField } from '@xs2a/domain/payment/fields/payment-fields';
import type { PaymentProduct } from '@xs2a/domain/payment/payment-products';
import { paymentServices } from '@xs2a/domain/payment/payment-services';
import { productsOffered } from '@xs2a/domain/payment/product-offers';
import type { PaymentStandard } from '@xs2a/domain/payment/standards/payment-standard';
import { paymentStandards } from '@xs2a/domain/payment/standards/standards';
import { type Profile, type ProfileName, profileNames } from '@xs2a/domain/profile/profile';
import { readProfile } from '@xs2a/runtime/profile-file';
import { join } from 'node:path';
import { readText, root } from '../sources.js';

type Row = readonly [title: string, value: (profile: Profile) => string];

const code = (text: string): string => `\`${text}\``;
const list = (values: readonly string[]): string => (values.length === 0 ? 'none' : values.join(', '));
const days = (seconds: number): string =>
  seconds % 86_400 === 0 && seconds > 86_400 ? `${seconds / 86_400} days` : `${seconds / 3600} hours`;

/** The computed calendars in the holiday table of a profile. */
const calendarsOf = (name: ProfileName): string => {
  const { holidays } = JSON.parse(readText(`deploy/profiles/${name}.json`)) as { readonly holidays: string };
  const table = JSON.parse(readText(`deploy/profiles/${holidays}`)) as {
    readonly calendars: readonly string[];
  };
  return table.calendars.join(', ');
};

const weekdays = (name: ProfileName): string => `Monday to Friday except holidays (${calendarsOf(name)})`;

const figures: readonly Row[] = [
  ['environment', ({ environment }) => environment],
  ['standard', ({ standard }) => standard],
  ['home currency', ({ homeCurrency }) => homeCurrency],
  ['currencies', ({ currencies }) => list(currencies)],
  ['optional features (`offers`)', ({ offers }) => list(offers)],
  [
    'banking days of payments',
    ({ name, bankingDays }) => (bankingDays === 'every-day' ? 'every day' : weekdays(name)),
  ],
  ['banking days of periodic orders', ({ name }) => weekdays(name)],
  ['cut-off', ({ cutOff = 'none', timeZone }) => (cutOff === 'none' ? cutOff : `${cutOff} ${timeZone}`)],
  ['consents, at most', ({ consentMaxDays }) => `${consentMaxDays} days`],
  ['refresh tokens', ({ refreshTokenSeconds }) => days(refreshTokenSeconds)],
  [
    'exchange rates',
    ({ exchangeRates }) =>
      exchangeRates === undefined ? 'none' : `${exchangeRates.homeCurrency} for one unit of a currency`,
  ],
  ['fees', ({ fees }) => (fees.length === 0 ? 'none' : `${fees.length} rows`)],
  ['verification of the payee', ({ payeeVerification }) => payeeVerification],
  ['the lev ended on', ({ levEnd = 'it has not' }) => levEnd],
  ...paymentServices.map((service): Row => [
    code(service),
    (profile) => list(productsOffered(service, profile).map(code)),
  ]),
];

const table = (headings: readonly string[], rows: readonly (readonly string[])[]): string =>
  [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const elements = (fields: readonly PaymentField[], products: readonly PaymentProduct[]): string =>
  table(
    ['element', ...products.map(code)],
    fields
      .filter(({ rules }) => products.some((product) => rules[product] !== 'n.a.'))
      .map(({ path, rules }) => [code(path), ...products.map((product) => rules[product])]),
  );

const names = ({ products, aliases, closedProducts, periodicProduct }: PaymentStandard): string => {
  const further = Object.entries(aliases).map(([alias, product]) => `${code(alias)} is ${code(product)}`);
  const ended = Object.entries(closedProducts).map(
    ([product, successor]) => `${code(product)} ended; its successor is ${code(successor)}`,
  );
  return [
    `Products: ${list(products.map(code))}. Under \`periodic-payments\`, \`domestic\` is ${code(periodicProduct)}.`,
    ...(further.length === 0 ? [] : [`Further names: ${further.join('; ')}.`]),
    ...(ended.length === 0 ? [] : [`${ended.join('; ')}.`]),
  ].join('\n\n');
};

/** Returns the text of docs/profiles.md: how the profiles and their standards differ, from their data. */
export const profilesPage = (): string => {
  const profiles = profileNames.map((name) => readProfile(join(root, `deploy/profiles/${name}.json`)));
  const standards = Object.entries(paymentStandards).map(
    ([name, standard]) => `## Elements in the ${name} standard

${names(standard)}

Elements that no product takes are left out.

${elements(standard.fields, standard.products)}`,
  );
  return `# Profiles

A profile has the rules of a bank: its currencies, products, limits and calendar. The euro profiles pay in euro, with [rules of their own](contract/14-euro.md).

## Differences

${table(
  ['rule', ...profiles.map(({ name }) => code(name))],
  figures.map(([title, value]) => [title, ...profiles.map(value)]),
)}

A payment in a currency that the bank does not have is refused: in \`sandbox\`, which has BGN only, \`SEPA-Credit-Transfer\` can be tried, but not paid.

${standards.join('\n\n')}
`;
};
