// Which end-to-end tests also run at a bank in euro (`npm test -- e2e-euro`): those in these folders and files of
// test/e2e/src, except for the ones listed here with their reason. A spec takes its products, currency and amounts
// from @xs2a/test-support/home. CONTRIBUTING.md shows how to run one of them.
const ending = '.e2e.spec.ts';
export const folder = 'test/e2e/src/';
export const included = [
  'consents-accounts/',
  'contract/',
  'payments/',
  'security/',
  'sandbox/expire',
  'sandbox/sandbox',
  'sandbox/settle',
  'sandbox/simulate',
];

const lev = 'fields, names and calendar of the products in leva; in euro: euro/euro-products and the domain';
const tokens = 'clients, keys and certificates, with nothing that depends on the currency';
const load = 'races and long runs of what the other specs show once';
export const exceptions = {
  'consents-accounts/accounts-in-euro': 'starts a bank in euro in every run',
  'payments/basket-races': load,
  'payments/bulk-bodies': lev,
  'payments/large-baskets': load,
  'payments/orders-over-years': load,
  'payments/payment-products': lev,
  'payments/periodic-bodies': lev,
  'payments/production-rules': 'fees, rates and cut-off in leva; in euro: euro/euro-production',
  'sandbox/settle-races': load,
  'security/auth-port': tokens,
  'security/security-clients': tokens,
  'security/security-oauth': tokens,
  'security/security-pages': tokens,
  'security/sign-in-flood': load,
};

/** Whether a spec file, by its path in the repository, also runs at a bank in euro. */
export const runsInEuro = (file) => {
  if (!file.startsWith(folder) || !file.endsWith(ending)) return false;
  const name = file.slice(folder.length, -ending.length);
  return included.some((start) => name.startsWith(start)) && !(name in exceptions);
};
