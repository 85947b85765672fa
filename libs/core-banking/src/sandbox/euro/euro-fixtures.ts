import { formatAmount } from '@xs2a/domain/money/money';
import { levToEuro } from '@xs2a/domain/money/lev-conversion';
import type { FixtureAccount, Fixtures, FixturesFile } from '../fixtures.js';
import { sandboxAmount } from '../ledger/sandbox-amount.js';

/**
 * The fixtures of a bank in euro (contract E8.1): the same people, accounts and IBANs. What is in leva in the
 * file is converted, and what the file has under `euro` is added.
 */
export const inEuro = ({ euro, ...fixtures }: FixturesFile): Fixtures => ({
  ...fixtures,
  psus: fixtures.psus.map((psu) => ({
    ...psu,
    accounts: [
      ...(psu.accounts ?? []),
      ...euro.accounts.filter(({ psuId }) => psuId === psu.psuId).map(({ iban }) => iban),
    ],
  })),
  corporates: fixtures.corporates.map((corporate) => ({
    ...corporate,
    ...euro.corporates.find(({ corporateId }) => corporateId === corporate.corporateId),
  })),
  accounts: [
    ...fixtures.accounts.map((account) => ({
      ...(account.currency === 'BGN' ? converted(account) : account),
      historyFrom: euro.historyFrom[account.iban],
    })),
    ...euro.accounts,
  ],
});

const converted = (account: FixtureAccount): FixtureAccount => ({
  ...account,
  currency: 'EUR',
  opening: inCents(account.opening),
  creditLimit: inCents(account.creditLimit),
  openingInLeva: account.opening,
});

const inCents = (leva: string): string => {
  const stotinki = sandboxAmount(leva, 'BGN', true);
  if (typeof stotinki === 'string') throw new Error(`fixtures: ${leva}: ${stotinki}`);
  return formatAmount({ minor: levToEuro(stotinki), currency: 'EUR' });
};
