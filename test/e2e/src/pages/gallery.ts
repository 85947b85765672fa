import { readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const galleryFolder = resolve(import.meta.dirname, '../../../../docs/screens');

/** The caption of each picture, in the order of the gallery; its file is `<name>-<language>-<width>.png`. */
export const captions: Readonly<Record<string, string>> = {
  'payment-1-sign-in': 'A payment: sign in',
  'payment-2-sign-in-failed': 'Sign-in refused: never which of the two was wrong',
  'payment-3-review': 'The review: amount, payee, account, when, type, charges',
  'payment-4-code': 'The code, beside what it is bound to',
  'payment-5-code-wrong': 'A wrong code',
  'payment-6-result': 'The result: authorised, not yet carried out',
  'payment-7-long': 'Long names and a large amount',
  'payment-8-refused': 'Refused',
  'payment-9-budget': 'A transfer to the budget, its codes in words',
  'several-1-first-signed': 'A payment that two persons sign: the first has signed',
  'several-2-waiting': 'The first one’s link again, while the other is missing',
  'several-3-signed-before': 'One person with two links: nothing is changed',
  'several-4-sign-in-to-refuse': 'Refusing without signing in, after somebody has signed',
  'several-5-second-review': 'The second person reviews the same payment',
  'several-6-both-signed': 'Both have signed',
  'several-7-refused': 'The second person refuses',
  'several-8-list': 'The first person’s list: waiting, refused, cancelled',
  'order-1-review': 'A periodic order: what each payment pays, when, the first days',
  'order-2-code': 'The code, beside payee and schedule',
  'order-3-result': 'The order is signed',
  'bulk-1-review': 'A bulk payment of 50 that two persons sign: total, number, every payment',
  'bulk-2-code': 'The code, beside the total; the payments are folded away',
  'bulk-3-first-signed': 'The first person has signed the bulk payment',
  'bulk-4-both-signed': 'Both have signed it',
  'bulk-5-budget': 'A bulk payment of 250 to the budget',
  'basket-1-review': 'A signing basket: the sum, and every payment, those of a bulk too',
  'consent-1-accounts': 'A consent: choose the accounts',
  'consent-2-review': 'The review: who, which accounts, what, until when, how often',
  'consent-3-code': 'The code for a consent',
  'consent-4-funds': 'The question whether an amount is covered',
  'link-1-used': 'A link that has been used',
  'link-2-unknown': 'A link that nobody knows',
  'link-3-form-of-nobody': 'A form that belongs to no session',
  'link-4-expired': 'A link that has expired',
  'link-5-request-refused': 'An authorization request that the bank does not take',
  'psu-1-sign-in': 'The customer’s own pages: sign in',
  'psu-2-payments': 'Payments I authorised',
  'psu-5-orders': 'Periodic orders and a bulk payment among them',
  'psu-3-apps': 'Apps with access',
  'psu-4-apps-withdrawn': 'Access withdrawn',
  'demo-1-home': 'The demo TPP: connect my bank',
  'demo-2-accounts': 'Accounts and balances',
  'demo-3-transactions': 'Transactions',
  'demo-4-connect-again': 'The access was withdrawn at the bank',
  'demo-5-pay': 'Pay',
  'demo-6-paid': 'Signed, and carried out',
  'demo-7-refused': 'Refused at the bank: back on the Nok address',
  'demo-8-funds': 'Check funds',
  'demo-9-order': 'A standing order',
  'demo-10-order-running': 'Its first payment was carried out, the next is planned',
  'demo-11-order-ended': 'Its last payment was skipped: there was not enough money',
  'demo-12-bulk': 'A bulk by file: what a file may be',
  'demo-13-bulk-preview': 'What is in the file, before anything is sent',
  'demo-14-bulk-done': 'Signed once, and carried out one by one',
  'demo-15-bulk-faults': 'Every fault of a file, by line and at its entry',
  'demo-16-basket': 'A signing basket: what waits for its signature, to choose from',
  'demo-17-basket-preview': 'What was chosen, and what it comes to',
  'demo-18-basket-ended': 'Signed at once; the money did not suffice for all of it',
};

export const picturesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.png'))
    .sort();

/** The page of all pictures that are there: Bulgarian and English side by side as a phone shows them, the wide ones linked. */
export const galleryText = (pictures: readonly string[]): string => {
  const has = new Set(pictures);
  const rows = Object.entries(captions).flatMap(([name, caption]) => {
    const cells = ['bg', 'en'].map((language) => {
      const [small, wide] = [`${name}-${language}-360.png`, `${name}-${language}-1280.png`];
      return [
        ...(has.has(small) ? [`<img src="${small}" width="240" alt="${caption}, ${language}">`] : []),
        ...(has.has(wide) ? [`[1280 px](${wide})`] : []),
      ].join('<br>');
    });
    return cells.every((cell) => cell === '') ? [] : [`| ${caption} | ${cells.join(' | ')} |`];
  });
  return [
    '# What people see',
    '',
    'Written by the browser tests: `SCREENS=1 npm test -- e2e`. The same tests check each of these pages for accessibility',
    '(axe, no violation), width and language.',
    '',
    '| page | български | English |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
};

export const writeGallery = (): void =>
  writeFileSync(join(galleryFolder, 'README.md'), galleryText(picturesIn(galleryFolder)));
