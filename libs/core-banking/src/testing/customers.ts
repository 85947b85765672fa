import type { NewPsu } from '@xs2a/contracts/accounts.contract';
import type { DeltaQuery, EntriesPage } from '../port/accounts.js';
import type { CreatedPsu } from '../sandbox/people/new-psu.js';
import type { FreshBank } from './fresh-bank.js';

type Bank = FreshBank['bank'];

/** Operations on a bank's customers, for tests. `fresh` returns the bank once it is open. */
export const makeCustomers = (fresh: () => FreshBank) => {
  const listAccounts = async (psuId: string): ReturnType<Bank['psus']['listAccounts']> =>
    fresh().bank.psus.listAccounts(psuId);
  const created = async (body: NewPsu): Promise<CreatedPsu> => {
    const psu = await fresh().bank.tools.createPsu(body);
    if ('failures' in psu) throw new Error(JSON.stringify(psu.failures));
    return psu;
  };
  return {
    accountsOf: listAccounts,
    created,
    /** Creates a person and returns that person's only account. */
    oneAccount: async (
      opening = '0',
      more: { readonly currency?: string; readonly creditLimit?: string } = {},
    ) => {
      const { psuId } = await created({ accounts: [{ currency: 'BGN', opening, ...more }] });
      const [account] = await listAccounts(psuId);
      if (account === undefined) throw new Error('no account');
      return { psuId, ...account };
    },
    page: async (resourceId: string, query: Partial<DeltaQuery> = {}): Promise<EntriesPage> => {
      const found = await fresh().bank.accounts.entries({
        resourceId,
        currency: 'BGN',
        dateFrom: '2000-01-01',
        dateTo: '9999-12-31',
        bookingStatus: 'both',
        pageSize: 50,
        ...query,
      });
      if (typeof found === 'string') throw new Error(found);
      return found;
    },
    deposit: async (iban: string, amount: string, currency = 'BGN'): ReturnType<Bank['tools']['deposit']> =>
      fresh().bank.tools.deposit({ iban, body: { amount, currency } }),
  };
};
