import type { ConsentEventType } from './consent-events.js';
import type { ConsentStatus } from './consent-state.js';
import { signingRows } from '../sca/authorisations.js';

const signing = signingRows<ConsentEventType, ConsentStatus>(
  {
    started: 'authorisation-started',
    partlySigned: 'partly-authorised',
    signed: 'authorised',
    rejected: 'rejected',
  },
  { received: 'received', partlySigned: 'partiallyAuthorised', signed: 'valid', rejected: 'rejected' },
);

/**
 * The lifecycle of a consent (contract 5, 10): status × event → next status. Pairs that are not listed cannot
 * happen.
 */
const consentLifecycle: Readonly<
  Record<ConsentStatus, Readonly<Partial<Record<ConsentEventType, ConsentStatus>>>>
> = {
  received: { ...signing.received, grouped: 'received', ungrouped: 'received' },
  partiallyAuthorised: signing.partlySigned,
  valid: {
    'first-used': 'valid',
    'terminated-by-tpp': 'terminatedByTpp',
    'revoked-by-psu': 'revokedByPsu',
    expired: 'expired',
  },
  rejected: {},
  revokedByPsu: {},
  terminatedByTpp: {},
  expired: {},
};

export const consentStatuses = Object.keys(consentLifecycle).filter(
  (name): name is ConsentStatus => name in consentLifecycle,
);

/** The status after an event; undefined if the event is not allowed in that status. Only `created` starts a consent. */
export function nextConsentStatus(
  status: ConsentStatus | undefined,
  event: ConsentEventType,
): ConsentStatus | undefined {
  if (status === undefined) return event === 'created' ? 'received' : undefined;
  return consentLifecycle[status][event];
}

/** True if the status can no longer change. */
export const isFinalConsent = (status: ConsentStatus): boolean =>
  Object.keys(consentLifecycle[status]).length === 0;

/** True until the consent has been authorised by its only or last signer. */
export const awaitsAuthorisation = (status: ConsentStatus): boolean =>
  nextConsentStatus(status, 'authorised') !== undefined;

/**
 * True while the consent is in an undecided basket and cannot be authorised, deleted or grouped separately
 * (contract 10).
 */
export const isGroupedConsent = ({
  basketId,
  status,
}: {
  readonly basketId?: string;
  readonly status: ConsentStatus;
}): boolean => basketId !== undefined && status === 'received';
