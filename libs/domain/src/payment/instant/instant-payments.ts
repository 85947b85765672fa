import type { Profile } from '../../profile/profile.js';
import { planExecution } from '../execution-day.js';
import type { HoldRefusalReason } from '../payment-events.js';
import type { EuroProduct } from '../payment-products.js';
import { type ReasonCode, reasonCodes } from './instant-answer.js';

/** The product of instant payments (euro contract, E3). */
export const instantProduct = 'instant-SEPA-credit-transfer' satisfies EuroProduct;

/** True for an instant payment, or a bulk payment of instant ones. */
export const isInstant = ({ product }: { readonly product: string }): boolean => product === instantProduct;

/**
 * Milliseconds of real time from the receipt of an instant order until it is rejected for want of an answer. The
 * scheme allows ten seconds, so one is left for the void and the status.
 */
export const answerWithinMs = 9000;

/** Why a hold was refused, as the ISO 20022 code that the TPP sees. */
export const reasonOfRefusal: Readonly<Record<HoldRefusalReason, ReasonCode>> = {
  'insufficient-funds': reasonCodes.noFunds,
  'limit-exceeded': 'AM14',
  'debtor-account-unusable': 'AC06',
  'creditor-account-unusable': 'AG01',
};

/**
 * When an instant payment signed now is executed: at once, whatever cut-off and banking day, or from the start of a
 * later requested day on.
 */
export const planInstant = (
  requestedDate: string | undefined,
  now: string,
  profile: Profile,
): { readonly executionDate: string; readonly dueAt: string } =>
  planExecution(requestedDate, now, {
    ...profile,
    bankingDays: 'every-day',
    cutOff: undefined,
    settlementDelaySeconds: 0,
  });
