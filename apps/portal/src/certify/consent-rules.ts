import { failedBy, type Finding, newestOf, open, patienceMs, shownBy } from './finding.js';
import { answerIn, atMs, type Call, headerOf, isDone, type OwnLog, urlOf } from './own-log.js';
import { doneOnce } from './payment-rules.js';

const accountReads: ReadonlySet<string> = new Set([
  'listAccounts',
  'readAccount',
  'readBalances',
  'listTransactions',
  'readTransaction',
]);
const isAccountRead = ({ operation }: Call): boolean => accountReads.has(operation);
const readAs = (status: string) =>
  doneOnce(
    (call) =>
      (call.operation === 'readConsentStatus' || call.operation === 'readConsent') &&
      answerIn(call)['consentStatus'] === status,
  );

export const consentValid = readAs('valid');
export const consentRejected = readAs('rejected');
export const consentRevoked = readAs('revokedByPsu');
export const consentTerminated = doneOnce(({ operation }) => operation === 'deleteConsent');
export const unattended = doneOnce(
  (call) => isAccountRead(call) && headerOf(call, 'psu-ip-address') === undefined,
);
const mostRepeats = 2;
/** A consent has ended: the application asks the PSU for a new one, and does not keep reading. */
export const consentEnded = (log: OwnLog): Finding =>
  newestOf(
    log.calls
      .filter(
        (call) => isAccountRead(call) && (call.code === 'CONSENT_EXPIRED' || call.code === 'CONSENT_INVALID'),
      )
      .map((call) => {
        const later = log.calls.slice(log.calls.indexOf(call) + 1);
        const created = later.find((one) => one.operation === 'createConsent' && isDone(one));
        const again = later.filter(
          (one) =>
            urlOf(one) === urlOf(call) &&
            one.code === call.code &&
            (created === undefined || atMs(one) < atMs(created)),
        );
        if (again.length > mostRepeats)
          return failedBy('The account was read again and again.', call, ...again);
        if (created !== undefined) return shownBy(call, created);
        return log.nowMs - atMs(call) > 10 * patienceMs
          ? failedBy('No new consent was asked for within ten minutes.', call)
          : open;
      }),
  );
