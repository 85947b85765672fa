import { durationText } from '@xs2a/doctor/durations';
import { countState, oldestSeconds } from '../settlement-page/settlement-counts.js';
import type { Waiting } from './backlog.js';
import type { Finding } from './finding.js';

const evidence = { to: '/settlement', text: 'Show the settlement' } as const;

/**
 * Payments that are overdue, that fail, that were confirmed after their rejection, or whose events could not be handled. `isCatchingUp`: a move of the sandbox clock
 * has just made payments due, and the worker settles them, so that none counts as overdue.
 */
export const findUnsettled = ({ queue, unfinished }: Waiting, isCatchingUp: boolean): readonly Finding[] => {
  const overdue = queue === undefined || isCatchingUp ? 0 : countState(queue, 'overdue');
  const { failing = 0, deadLetters = 0, confirmedLate = 0, transactions = [] } = unfinished ?? {};
  const reasons = transactions.flatMap(({ paymentId, reason, failures }) =>
    failures === 0 ? [] : [`${paymentId}: ${reason ?? 'unknown reason'}`],
  );
  return [
    ...(queue === undefined || overdue === 0
      ? []
      : [
          {
            level: 'problem',
            sentence: `${payments(overdue)} overdue: the oldest has been due for ${durationText(oldestSeconds(queue) * 1000)}`,
            details: reasons,
            place: '/settlement',
            evidence,
            runbook: 'payments-do-not-settle',
          } as const,
        ]),
    ...(failing === 0
      ? []
      : [
          {
            level: 'attention',
            sentence: `Settlement of ${failing} ${failing === 1 ? 'transaction' : 'transactions'} fails and is tried again`,
            details: reasons,
            place: '/settlement',
            evidence,
            runbook: 'payments-do-not-settle',
          } as const,
        ]),
    ...(confirmedLate === 0
      ? []
      : [
          {
            level: 'attention',
            sentence: `${confirmedLate === 1 ? '1 instant payment was confirmed after its rejection' : `${confirmedLate} instant payments were confirmed after their rejection`}: the payee may have the money`,
            details: ['The payer was not charged.'],
            place: '/settlement',
            evidence: { to: '/settlement#confirmed-late', text: 'Show the payments' },
            runbook: 'instant-answered-late',
            repairs: [{ command: 'xs2a settlement late' }],
          } as const,
        ]),
    ...(deadLetters === 0
      ? []
      : [
          {
            level: 'attention',
            sentence: `Settlement could not handle ${deadLetters} ${deadLetters === 1 ? 'event' : 'events'}, which are dead letters`,
            details: [],
            place: '/settlement',
            evidence,
            runbook: 'dead-letter',
            repairs: [{ command: 'xs2a dead-letters list' }],
          } as const,
        ]),
  ];
};

const payments = (count: number): string => (count === 1 ? '1 payment is' : `${count} payments are`);
