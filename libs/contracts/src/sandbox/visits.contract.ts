import { call } from '../call.js';

/** What came of a visit: the receiver's answer, or a short plain text about why there was none. */
export type Visited =
  | {
      readonly status: number;
      /** The `Location` header, at most {@link maxLocation} characters of it. */
      readonly location?: string;
    }
  | { readonly failure: string };

export const maxLocation = 2000;
/** The longest that a call may take, in milliseconds. */
const visitWithinMs = 10_000;

/**
 * Opens an address of a TPP's application once, as a browser would. The caller has checked that the TPP registered its
 * origin. Fails with visitsExceeded.
 */
export const visit = call<{ readonly tppId: string; readonly uri: string }, Visited>(
  'svc.notifications.sandbox.visit',
  'not-idempotent',
  visitWithinMs,
);
