import type { ServiceName } from '@xs2a/contracts/services';
import { coreBankName } from '@xs2a/contracts/services';

/** Who notices that a part does not answer, and what fails. */
const affected: Readonly<Record<ServiceName | typeof coreBankName, string>> = {
  gateway: 'every TPP: no call is answered',
  auth: 'every TPP and PSU: no token is issued, and nobody can sign in or sign',
  consents: 'every TPP: account data and confirmations of funds are refused, and no consent can be given',
  accounts: 'every TPP and PSU: new payments, account data and confirmations of funds are refused',
  'funds-confirmation': 'TPPs that ask whether funds are available',
  payments: 'every TPP and PSU: payments can be neither initiated, read nor signed, and none settles',
  'settlement-worker': 'PSUs and payees: signed payments are not executed; they wait',
  notifications: 'TPPs that asked for status push: notifications wait',
  console: 'the staff: this page may be old, and calls are not recorded',
  portal: 'TPPs’ developers: the pages of the developer portal do not open',
  [coreBankName]: 'every TPP and PSU: sign-ins, new payments, account data and settlement fail',
};

/** Returns a line that says who is affected by a part that does not answer; nothing for an unknown part. */
export const affectedBy = (part: string): readonly string[] =>
  Object.entries(affected).flatMap(([name, who]) => (name === part ? [`Affected: ${who}.`] : []));
