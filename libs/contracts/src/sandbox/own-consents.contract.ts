import type { ConsentStatus } from '@xs2a/domain/consent/consent-state';
import { call } from '../call.js';

/** An event of a consent as its TPP sees it: nothing of the PSU. */
export interface OwnConsentEvent {
  /** @format date-time */
  readonly time: string;
  readonly type: string;
  /** The status after the event. */
  readonly status?: ConsentStatus;
  /** @format uuid */
  readonly authorisationId?: string;
  /** @format uuid */
  readonly basketId?: string;
  /** Why it was rejected, or has expired. */
  readonly reason?: string;
}
/** The history of the caller's consent (contract 13); only in the sandbox. Fails with consentUnknown. */
export const readOwnConsentTimeline = call<
  { readonly tppId: string; readonly consentId: string },
  {
    /** Of the newest 500 events of the log those that a TPP sees, oldest first; empty once they are archived. */
    readonly events: readonly OwnConsentEvent[];
    /** The number of older events in the log. */
    readonly leftOut: number;
  }
>('svc.consents.sandbox.timeline', 'idempotent');
