import type { OwnNotification } from '@xs2a/contracts/push/own-notifications.contract';
import { type Finding, newestOf, open, patienceMs } from './finding.js';
import { atMs, isDone, type OwnLog, resourceOf } from './own-log.js';

/** An attempt, which is marked if the sandbox forged it (POST …/forge). */
type Attempt = OwnNotification['attempts'][number] & { readonly forged?: boolean };

const isTaken = ({ answer }: Attempt): boolean => /^(?:HTTP )?2\d\d\b/.test(answer);
const isRefused = ({ answer }: Attempt): boolean => /^(?:HTTP )?4\d\d\b/.test(answer);
const real = ({ attempts }: OwnNotification): readonly Attempt[] =>
  attempts.filter((attempt: Attempt) => attempt.forged !== true);

const shown = ({ notificationId }: OwnNotification): Finding => ({
  ...open,
  result: 'shown',
  notificationIds: [notificationId],
});
const failed = ({ notificationId }: OwnNotification, seen: string): Finding => ({
  ...open,
  result: 'failed',
  seen,
  notificationIds: [notificationId],
});
/** The list has the newest first. */
const each = (log: OwnLog, find: (notification: OwnNotification) => Finding): Finding =>
  newestOf(log.notifications.map(find).toReversed());

export const accepted = (log: OwnLog): Finding =>
  each(log, (one) => {
    const [first] = real(one);
    if (one.state === 'deadLetter') return failed(one, 'It is a dead letter.');
    return first !== undefined && isTaken(first) ? shown(one) : open;
  });

export const forged = (log: OwnLog): Finding =>
  each(log, (one) => {
    const last = one.attempts.findLast((attempt: Attempt) => attempt.forged === true);
    if (last === undefined) return open;
    return isRefused(last)
      ? shown(one)
      : failed(one, `A notification with a wrong signature was answered ${last.answer}; 401 is right.`);
  });

export const repeated = (log: OwnLog): Finding =>
  each(log, (one) => {
    const [, second] = real(one).slice(real(one).findIndex(isTaken));
    if (!real(one).some(isTaken) || second === undefined) return open;
    return isTaken(second) ? shown(one) : failed(one, `The second time it was answered ${second.answer}.`);
  });

export const recovered = (log: OwnLog): Finding =>
  each(log, (one) => {
    const attempts = real(one);
    const [first] = attempts;
    return first !== undefined && !isTaken(first) && attempts.some(isTaken) ? shown(one) : open;
  });

/** After a notification the application reads the status from the bank, which is the only source that it can trust fully. */
export const readAfter = (log: OwnLog): Finding =>
  each(log, (one) => {
    const taken = real(one).find(isTaken);
    if (taken === undefined) return open;
    const at = Date.parse(taken.time);
    const read = log.calls.find(
      (call) =>
        isDone(call) &&
        call.operation.startsWith('read') &&
        resourceOf(call) === one.resourceId &&
        atMs(call) >= at &&
        atMs(call) - at < patienceMs,
    );
    return read === undefined ? open : { ...shown(one), requestIds: [read.requestId] };
  });
