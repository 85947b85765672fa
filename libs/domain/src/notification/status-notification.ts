import type { Authorisation, ScaStatus } from '../sca/authorisations.js';
import type { NotificationKind } from './notification-content.js';

/** A transaction inside an order, as far as a TPP is told of it. */
export interface NotifiableTransaction {
  readonly transactionId: string;
  readonly transactionStatus: string;
  readonly fundsAvailable?: boolean;
}

/** The part of a payment's, a consent's or a basket's state that a TPP is told. */
export interface Notifiable {
  readonly status: string;
  /** True when status and fundsAvailable never change again. */
  readonly isFinal: boolean;
  readonly fundsAvailable?: boolean;
  readonly authorisations: readonly Pick<Authorisation, 'authorisationId' | 'scaStatus'>[];
  /** The occurrences of an order that have begun. */
  readonly transactions?: readonly NotifiableTransaction[];
}

/** One change of a resource, as it is told. */
export interface StatusChange {
  readonly status: string;
  readonly fundsAvailable?: boolean;
  readonly authorisationId?: string;
  readonly scaStatus?: ScaStatus;
  readonly transactionId?: string;
}

/**
 * The notifications that follow from one event, in order; none when it changed nothing that is wanted. A resource that has
 * just been created and an authorisation that has just been started are not told: the POST's own answer did (contract 11).
 */
export const notificationsOf = (
  before: Notifiable | undefined,
  after: Notifiable,
  wanted: readonly NotificationKind[],
): readonly StatusChange[] => {
  if (before === undefined) return [];
  const { status, fundsAvailable } = after;
  const standing = { status, ...(fundsAvailable === undefined ? {} : { fundsAvailable }) };
  const changes: StatusChange[] = wanted.includes('SCA')
    ? changedAuthorisations(before, after).map((authorisation) => ({ ...standing, ...authorisation }))
    : [];
  if (wanted.includes('PROCESS')) changes.push(...changedTransactions(before, after));
  const isTold = changes.some(({ transactionId }) => transactionId === undefined);
  if (!isTold && isStatusWanted(before, after, wanted)) changes.push(standing);
  return changes;
};

const isStatusWanted = (
  before: Notifiable,
  after: Notifiable,
  wanted: readonly NotificationKind[],
): boolean => {
  const changed =
    after.status !== before.status ||
    (after.fundsAvailable !== undefined && after.fundsAvailable !== before.fundsAvailable);
  if (wanted.includes('PROCESS') && changed) return true;
  return wanted.includes('LAST') && after.isFinal && !before.isFinal;
};

const changedAuthorisations = (
  before: Notifiable,
  after: Notifiable,
): Pick<Authorisation, 'authorisationId' | 'scaStatus'>[] =>
  after.authorisations.flatMap(({ authorisationId, scaStatus }) => {
    const earlier = before.authorisations.find((one) => one.authorisationId === authorisationId);
    return earlier === undefined || earlier.scaStatus === scaStatus ? [] : [{ authorisationId, scaStatus }];
  });

/** An occurrence is told with the order's status, and with its own when it was refused for want of funds. */
const changedTransactions = (before: Notifiable, after: Notifiable): StatusChange[] =>
  (after.transactions ?? []).flatMap(({ transactionId, transactionStatus, fundsAvailable }) => {
    const earlier = before.transactions?.find((one) => one.transactionId === transactionId);
    if (earlier?.transactionStatus === transactionStatus && earlier.fundsAvailable === fundsAvailable)
      return [];
    return [
      { status: after.status, transactionId, ...(fundsAvailable === undefined ? {} : { fundsAvailable }) },
    ];
  });
