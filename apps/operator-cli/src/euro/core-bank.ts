import { createConsentStore } from '@xs2a/consents/read-models';
import { readAccountCurrencies } from '@xs2a/contracts/accounts.contract';
import { listOrders, type PaymentState } from '@xs2a/domain/payment/payment-state';
import { createLogger } from '@xs2a/observability/logger';
import { readProfile } from '@xs2a/runtime/profile-file';
import { askAccounts } from '../ask-service.js';
import { Refusal } from '../command-line/refusal.js';
import { type Connections, oneRow } from '../connections.js';
import { pagesOf } from '../privacy/stream-pages.js';
import { openClock, openPayments, pagesWhere, type Stores } from './payments.js';

/** The number of latest payments whose debtor accounts are asked about, in addition to open ones. */
const latestPayments = 1000;

const listDebtors = (payments: readonly PaymentState[]): string[] =>
  payments.flatMap(listOrders).map(({ debtorIban }) => debtorIban);

/** Returns the ids of the latest payments, except those whose personal data were erased. */
const findLatest = async (connections: Connections): Promise<string[]> => {
  const { rows } = await connections.patientPool('payments').query<{ id: string }>(
    `SELECT stream_id AS id FROM payment_view v
     WHERE NOT EXISTS (SELECT FROM stream_key k WHERE k.stream_id = v.stream_id AND k.erased_at IS NOT NULL)
     ORDER BY stream_id DESC LIMIT ${latestPayments}`,
  );
  return rows.map(({ id }) => id);
};

/** Yields the IBANs that payments and consents name: open payments, the latest payments, and valid consents. */
async function* knownAccounts(connections: Connections, stores: Stores): AsyncGenerator<readonly string[]> {
  for await (const payments of openPayments(connections, stores)) yield listDebtors(payments);
  for (const ids of pagesOf(await findLatest(connections)))
    yield listDebtors([...(await stores.payments.many.load(ids)).values()].map(({ state }) => state));
  const consents = createConsentStore(
    connections.pool('consents'),
    await openClock(connections),
    createLogger('consents', 'silent'),
    readProfile(connections.profileFile),
    { MASTER_KEYS: await connections.mustHaveMasterKeys('consents') },
  );
  for await (const ids of pagesWhere(connections.patientPool('consents'), 'consent_view', "status = 'valid'"))
    yield [...(await consents.many.load(ids)).values()].flatMap(({ state }) =>
      state.accounts.map(({ iban }) => iban),
    );
}

/**
 * Checks that the accounts can be converted: by this command in the sandbox ledger, or already by the bank's own core
 * system. Returns the number of accounts that this system was asked about; undefined with the sandbox ledger. Throws
 * {@link Refusal} if it still answers that one of them is in leva.
 */
export const mayConvertAccounts = async (
  connections: Connections,
  stores: Stores,
): Promise<number | undefined> => {
  const { hasLedger } = await oneRow<{ hasLedger: boolean }>(
    connections.pool('accounts'),
    'SELECT EXISTS (SELECT FROM account) AS "hasLedger"',
  );
  if (hasLedger) return undefined;
  const asked = new Set<string>();
  const ask = async (ibans: readonly string[]): Promise<void> => {
    const { currencies } = await askAccounts(connections, readAccountCurrencies, { ibans });
    if (currencies.includes('BGN'))
      throw new Refusal('The core bank still answers that accounts are in BGN. Convert its accounts first.');
    for (const iban of ibans) asked.add(iban);
  };
  for await (const ibans of knownAccounts(connections, stores))
    for (const page of pagesOf([...new Set(ibans)].filter((iban) => !asked.has(iban)))) await ask(page);
  return asked.size;
};
