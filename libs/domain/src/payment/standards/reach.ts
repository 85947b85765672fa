import { getCountry, isIban } from '../../iban/iban.js';
import type { SepaReachability } from '../../profile/profile-tables.js';
import type { RoutedDetails } from './payment-standard.js';

/** The country of the creditor's IBAN. Undefined if the account is not identified by an IBAN. */
export const creditorCountry = ({ order }: RoutedDetails): string | undefined =>
  isIban(order.creditorAccount) ? getCountry(order.creditorAccount) : undefined;

/** True if the table reaches the creditor's account: its country by the IBAN, its bank by the BIC if one was sent. */
export function isReached(details: RoutedDetails, { countries, exceptBanks }: SepaReachability): boolean {
  const country = creditorCountry(details);
  const { creditorAgent } = details;
  return (
    country !== undefined &&
    countries.has(country) &&
    (creditorAgent === undefined || !exceptBanks.has(creditorAgent.slice(0, 8)))
  );
}
