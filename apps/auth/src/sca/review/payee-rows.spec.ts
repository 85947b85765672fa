import { describe, expect, it } from '@jest/globals';
import type { PaymentPayee, PayeesVerified } from '@xs2a/domain/payee/payees-verified';
import { html } from '@xs2a/html/html';
import { catalogues } from '../catalogue/catalogues.js';
import { entriesFolded, entriesInFull } from '../pages/entry-list.js';
import type { Row } from '../requests/authorisation-request.js';
import { payeeCheckRows, payeeCountRows, payeeDetail } from './payee-rows.js';

const order = {
  amount: { minor: 100, currency: 'EUR' },
  debtorIban: 'BG25XSBK92001000000001',
  creditorAccount: 'BG26RZBB91551023456789',
  creditorName: 'Ivan Petrof',
  remittance: 'x',
};
const verified = (answer: Pick<PaymentPayee, 'verdict' | 'disclosedName'>): PayeesVerified => ({
  authorisationId: 'a',
  requestId: 'r',
  askedAt: '',
  answeredAt: '',
  language: 'bg',
  textsVersion: '',
  isOptedOut: false,
  payees: [{ iban: order.creditorAccount, name: order.creditorName, ...answer }],
});
const read = (rows: readonly Row[], isBrief?: true): string =>
  rows
    .filter((row) => row.isBrief === isBrief)
    .map(({ value }) => (typeof value === 'string' ? value : value.text))
    .join(' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The texts of the contract, word for word. */
const bg = [
  'Името съвпада с титуляря на сметката.',
  'Името почти съвпада. Титулярят е Иван Петров. Това ли е получателят?',
  'Внимание: името не съвпада с титуляря на сметката. Парите може да отидат у друг.',
  'Името не можа да бъде проверено. Уверете се сами, че сметката е на получателя.',
  'Банката плаща по IBAN. Ако одобрите въпреки това, тя не отговаря за грешен получател и може да не успее да върне парите.',
  'Фирмата Ви се е отказала от проверка на получателите в пакетни плащания.',
] as const;
const en = [
  'The name matches the holder of the account.',
  'The name almost matches. The holder is Иван Петров. Is this who you mean to pay?',
  'Warning: the name does not match the holder of the account. The money may go to somebody else.',
  'The name could not be checked. Make sure yourself that the account is the payee’s.',
  'The bank pays by IBAN. If you approve all the same, it is not liable for a wrong payee and may be unable to get the money back.',
  'Your company has opted out of payee checks in bulk payments.',
] as const;

describe.each([
  ['bg', bg],
  ['en', en],
] as const)('the texts about a payee (contract E4.3, E7.3): %s', (language, texts) => {
  it.each<[PaymentPayee['verdict'], readonly number[]]>([
    ['MATCH', [1]],
    ['CLOSE_MATCH', [2, 5]],
    ['NO_MATCH', [3, 5]],
    ['NOT_POSSIBLE', [4]],
  ])('%s on the review', (verdict, shown) => {
    const disclosedName = verdict === 'CLOSE_MATCH' ? 'Иван Петров' : undefined;
    const rows = payeeCheckRows(verified({ verdict, disclosedName }), order, language);
    expect(read(rows)).toBe(shown.map((number) => texts[number - 1]).join(' '));
    expect(read(rows, true)).toBe(catalogues[language].payees.brief[verdict]);
    expect(rows.some(({ value }) => typeof value !== 'string' && value.text.includes('role="alert"'))).toBe(
      verdict === 'NO_MATCH',
    );
  });

  it('are absent if the payee was not verified', () => {
    expect(payeeCheckRows(undefined, order, language)).toEqual([]);
    expect(payeeCountRows(undefined, language)).toEqual([]);
    expect(payeeDetail(undefined, order, language)).toEqual([]);
  });

  it('say that a company has opted out of the verification in bulk payments (contract E4.11)', () => {
    expect(read(payeeCountRows({ OPTED_OUT: 2 }, language))).toContain(texts[5]);
  });

  it('say so at each payment of the bulk payment', () => {
    const optedOut = { ...verified({ verdict: 'MATCH' }), isOptedOut: true, payees: [] };
    const { label, brief } = catalogues[language].payees;
    expect(payeeDetail(optedOut, order, language)).toEqual([{ label, value: brief.OPTED_OUT }]);
  });

  it('show the name of the payee’s account holder in the list of payments on the review page, and not on the page for the code', () => {
    const details = payeeDetail(
      verified({ verdict: 'CLOSE_MATCH', disclosedName: 'Иван Петров' }),
      order,
      language,
    );
    const entries = [{ payee: '', account: html``, amount: html``, remittance: '', details }];
    const page = { entries, at: 0, sizes: [1] };
    const view = { language, path: '/' };
    expect(entriesInFull(page, view, false).text).toContain(texts[1]);
    const folded = entriesFolded(page, view, false).text;
    expect(folded).not.toContain('Иван Петров');
    expect(folded).toContain(catalogues[language].payees.brief.CLOSE_MATCH);
  });

  it('escapes the holder’s name', () => {
    const rows = payeeCheckRows(
      verified({ verdict: 'CLOSE_MATCH', disclosedName: '<b>Иван</b>' }),
      order,
      language,
    );
    const [full] = rows;
    expect(typeof full?.value === 'string' ? '' : full?.value.text).toContain('&lt;b&gt;');
  });
});

describe('the box and button after a warning (contract E7.3)', () => {
  it('have the words of the contract', () => {
    expect([catalogues.bg.payees.read, catalogues.bg.payees.approve]).toEqual([
      'Прочетох предупреждението',
      'Одобрявам въпреки това',
    ]);
    expect([catalogues.en.payees.read, catalogues.en.payees.approve]).toEqual([
      'I have read the warning',
      'Approve anyway',
    ]);
  });
});
