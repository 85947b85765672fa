import { CallFailed, callFailed } from '@xs2a/domain/failure/failed';
import { initiationFailure, isClosedProduct } from '@xs2a/domain/payment/product-offers';
import type { Check } from './check.js';

/**
 * The bank must offer the service for which a resource is created; existing resources can still be read:
 * - the bank does not offer signing baskets, or does not offer this payment service for this product: 403
 * `PRODUCT_INVALID`.
 * - the clock of the sandbox is fixed: 403 `SERVICE_BLOCKED` for moving it.
 */
export const checkOffer: Check = ({ edge: { endpoint, payment }, sources: { profile, clockIsFixed } }) => {
  if (endpoint === 'advanceClock' && clockIsFixed) throw callFailed('clockFixed');
  if (endpoint === 'createBasket' && !profile.offers.includes('signing-baskets'))
    throw callFailed(
      'serviceNotOffered',
      undefined,
      'Signing baskets are not offered. Have each item signed on its own.',
    );
  if (endpoint !== 'initiatePayment' || payment === undefined) return;
  // The payments service refuses a closed product, after the replay of an earlier request (contract E1.5).
  if (isClosedProduct(payment.product, profile)) return;
  const failure = initiationFailure(payment.service, payment.product, profile);
  if (failure !== undefined) throw new CallFailed([failure]);
};
