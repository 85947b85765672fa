import { readAccountCurrencies } from '@xs2a/contracts/accounts.contract';
import { isInLeva } from '@xs2a/domain/switch-over/convert-order';
import { listOrders } from '@xs2a/domain/payment/payment-state';
import { askAccounts } from '../ask-service.js';
import { type Connections, oneRow } from '../connections.js';
import { Refusal } from '../command-line/refusal.js';
import { pagesOf } from '../privacy/stream-pages.js';
import { openPayments, openStores } from './payments.js';

/**
 * Checks that the accounts can be converted: by this command in the sandbox ledger, or already by the bank's own core
 * system. Throws {@link Refusal} if that system still answers that a debtor account of an open payment is in leva.
 */
export const mayConvertAccounts = async (connections: Connections): Promise<void> => {
  const { hasLedger } = await oneRow<{ hasLedger: boolean }>(
    connections.pool('accounts'),
    'SELECT EXISTS (SELECT FROM account) AS "hasLedger"',
  );
  if (hasLedger) return;
  const ibans = new Set<string>();
  for await (const payments of openPayments(connections, await openStores(connections)))
    for (const order of payments.flatMap(listOrders)) if (isInLeva(order)) ibans.add(order.debtorIban);
  for (const page of pagesOf([...ibans])) {
    const { currencies } = await askAccounts(connections, readAccountCurrencies, { ibans: page });
    if (currencies.includes('BGN'))
      throw new Refusal('The core bank still answers that accounts are in BGN. Convert its accounts first.');
  }
};
