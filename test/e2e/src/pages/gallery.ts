import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const galleryFolder = resolve(import.meta.dirname, '../../../../docs/screens');

/** The caption of each state, in gallery order. */
const captions: Readonly<Record<string, string>> = {
  'payment-1-sign-in': 'A payment: sign in',
  'payment-2-sign-in-failed': 'Sign-in refused, without saying which field was wrong',
  'payment-3-review': 'The review: amount, payee, account, when, type, charges',
  'payment-4-code': 'The one-time code and what it is bound to',
  'payment-5-code-wrong': 'A wrong code: how many tries are left',
  'payment-6-result': 'Approved: the receipt, and what happens next',
  'payment-7-long': 'Long names and a large amount',
  'payment-8-refused': 'Refused: nothing has moved, and whom to call',
  'payment-10-locked': 'Five wrong codes: until when signing is locked',
  'payment-9-budget': 'A transfer to the budget, with its codes in words',
  'payee-1-match': 'The payee’s name matches the holder of the account',
  'payee-2-close-match': 'It almost matches: the holder’s name, and who is liable',
  'payee-3-no-match': 'It does not match: a warning that must be confirmed',
  'payee-4-not-possible': 'It could not be checked',
  'instant-1-under-way': 'Signed: the page renews itself until the result is known',
  'instant-2-settled': 'The payee has the money',
  'instant-3-rejected': 'Not made: why, and that nothing was charged',
  'several-1-first-signed': 'A payment with two signers: the first has signed',
  'several-5-second-review': 'The second signer reviews the same payment',
  'order-1-review': 'A periodic order: what each payment pays, when, the first days',
  'order-3-result': 'The order is signed',
  'bulk-1-review': 'A bulk payment of 50 with two signers: total, number, every payment',
  'bulk-3-first-signed': 'The first signer has signed the bulk payment',
  'basket-1-review': 'A signing basket: the total and every payment, including those of a bulk',
  'consent-1-accounts': 'A consent: choose the accounts',
  'consent-2-review': 'The review: who, which accounts, what, until when, how often',
  'consent-3-code': 'The code for a consent',
  'consent-4-funds': 'Consent to funds confirmation',
  'link-1-used': 'A link that has been used',
  'link-2-unknown': 'An unknown link',
  'link-4-expired': 'A link that has expired',
  'link-5-request-refused': 'A refused authorization request',
  'psu-1-sign-in': 'The customer’s own pages: sign in',
  'psu-3-apps': 'Your approvals: apps with access, and a payment',
  'psu-5-orders': 'Your approvals: standing orders and a bulk payment',
  'demo-1-home': 'Two apps, and test people to pick from',
  'demo-20-shop': 'The shop',
  'demo-21-cart': 'The cart, paid by bank',
  'demo-23-order-paid': 'The order follows the payment: paid',
  'demo-19-wire': 'What just went over the wire: the exchange of the code for a token',
  'demo-2-accounts': 'Accounts and balances',
  'demo-3-transactions': 'Transactions',
  'demo-5-pay': 'Pay',
  'demo-6-paid': 'Signed and executed',
  'demo-9-order': 'A standing order',
  'demo-10-order-running': 'Its first payment was executed, the next is planned',
  'demo-11-order-ended': 'Its last payment was skipped: there was not enough money',
  'demo-13-bulk-preview': 'What is in the file, before anything is sent',
  'demo-14-bulk-done': 'Signed once, executed one by one',
  'demo-16-basket': 'A signing basket: items waiting for a signature, to choose from',
  'demo-18-basket-ended': 'Signed together; the money did not cover all of it',
  'console-now-problem': 'Now: a service hangs',
  'console-payment': 'A payment: its calls, events and how its time passed',
  'console-settlement': 'Settlement: payments are overdue',
};

/** Pictures that show a state in another language or at another width. */
const variants: Readonly<Record<string, string>> = {
  'payment-3-review-bg-360.png': 'The review in Bulgarian',
  'demo-3-transactions-en-1280.png': 'Transactions on a wide screen',
};

/** The console and the drawer of the demo TPP are used at a desk, the other pages on a phone. */
const widthOf = (name: string): number =>
  name.startsWith('console-') || name === 'demo-19-wire' ? 1280 : 360;

/** Every picture that is kept, by file name, with its caption: each state in English, and the variants. */
export const keptPictures: ReadonlyMap<string, string> = new Map(
  Object.entries(captions).flatMap(([name, caption]) => [
    [`${name}-en-${widthOf(name)}.png`, caption] as const,
    ...Object.entries(variants).filter(([file]) => file.startsWith(`${name}-`)),
  ]),
);

const sections: Readonly<Record<string, string>> = {
  payment: 'Sign a payment',
  payee: 'Verification of payee',
  instant: 'An instant payment',
  several: 'Several signers',
  order: 'Sign a periodic order',
  bulk: 'Sign a bulk payment',
  basket: 'Sign a basket',
  consent: 'Give consent',
  link: 'Links and requests that are refused',
  psu: 'The customer’s own pages',
  demo: 'The demo TPP',
  console: 'The operators’ console',
};

const columns = 4;

/** Formats a table of captioned pictures, with as many per row as GitHub shows side by side. */
const table = (pictures: readonly (readonly [file: string, caption: string])[]): string => {
  const cells = pictures.map(([file, caption]) => `${caption}<br>![](${file})`);
  const rows = Array.from({ length: Math.ceil(cells.length / columns) }, (_value, row) =>
    Array.from({ length: columns }, (_cell, column) => cells[row * columns + column] ?? ''),
  );
  return ['', '-', ...rows]
    .map((row) => (typeof row === 'string' ? Array.from({ length: columns }, () => row) : row))
    .map((row) => `|${row.join('|')}|`)
    .join('\n');
};

/** Returns the page with all pictures, by section. */
export const galleryText = (): string =>
  [
    '# What people see',
    '',
    "`SCREENS=1 npm test -- e2e` draws these pictures: each state once, in English, on a phone. The same tests check the bank's pages in Bulgarian",
    'and English and the demo TPP in English, at 360 px and most of them at 1280 px: no violation found by axe, no sideways scrolling, the right language.',
    ...Object.entries(sections).flatMap(([prefix, title]) => [
      '',
      `## ${title}`,
      '',
      table([...keptPictures].filter(([file]) => file.startsWith(`${prefix}-`))),
    ]),
    '',
  ].join('\n');

export const writeGallery = (): void => writeFileSync(join(galleryFolder, 'README.md'), galleryText());
