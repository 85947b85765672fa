import type { Authorisation, ScaStatus } from '../sca/authorisations.js';
import type { ReasonCode } from '../payment/instant/instant-answer.js';
import { everyChange, type NotificationKind } from './notification-content.js';

/** The change that an event causes in one occurrence of a periodic order. */
export interface OccurrenceChange {
  readonly transactionId: string;
  /** False if the occurrence was skipped because of insufficient funds. */
  readonly fundsAvailable: boolean;
}

/** The part of the state of a payment, consent or basket that is reported to its TPP. */
export interface Notifiable {
  readonly status: string;
  /** True if neither the status nor fundsAvailable can change any more. */
  readonly isFinal: boolean;
  readonly fundsAvailable?: boolean;
  /** Why an instant payment was rejected. */
  readonly reasonCode?: ReasonCode;
  readonly authorisations: readonly Pick<Authorisation, 'authorisationId' | 'scaStatus'>[];
}

/** One change of a resource, as sent to the TPP. */
export interface StatusChange {
  readonly status: string;
  readonly fundsAvailable?: boolean;
  readonly reasonCode?: ReasonCode;
  readonly authorisationId?: string;
  readonly scaStatus?: ScaStatus;
  readonly transactionId?: string;
}

/**
 * The notifications caused by one event, in order; none if no requested value changed. The creation of a resource
 * and the start of an authorisation are not sent, because the response to the POST already contained them
 * (contract 11). An occurrence is sent with the status of its order. `preferred` is empty if the TPP sent no
 * preference; changes in RCVD are then not sent.
 */
export const listNotifications = (
  before: Notifiable | undefined,
  after: Notifiable,
  preferred: readonly NotificationKind[],
  occurrence?: OccurrenceChange,
): readonly StatusChange[] => {
  if (before === undefined || (preferred.length === 0 && after.status === 'RCVD')) return [];
  const wanted = preferred.length === 0 ? everyChange : preferred;
  const { status, fundsAvailable, reasonCode } = after;
  if (occurrence !== undefined && wanted.includes('PROCESS')) return [{ status, ...occurrence }];
  const change = { status, fundsAvailable, reasonCode };
  const changed = wanted.includes('SCA') ? changedAuthorisations(before, after) : [];
  if (changed.length > 0) return changed.map((authorisation) => ({ ...change, ...authorisation }));
  return isStatusWanted(before, after, wanted) ? [change] : [];
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
