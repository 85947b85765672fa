import { CallFailed, callFailed } from '@xs2a/domain/failure/failed';
import { initiationFailure } from '@xs2a/domain/payment/payment-services';
import type { Check } from './check.js';

/**
 * The bank offers what is to be created; what was created there before can still be read:
 * - signing baskets are not offered, or this payment service is not for this product: 403 `PRODUCT_INVALID`.
 */
export const checkOffer: Check = ({ edge: { endpoint, payment }, sources: { profile } }) => {
  if (endpoint === 'createBasket' && !profile.offers.includes('signing-baskets'))
    throw callFailed(
      'serviceNotOffered',
      undefined,
      'Signing baskets are not offered. Have each item signed alone.',
    );
  if (endpoint !== 'initiatePayment' || payment === undefined) return;
  const failure = initiationFailure(payment.service, payment.product, profile);
  if (failure !== undefined) throw new CallFailed([failure]);
};
