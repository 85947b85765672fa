import { describe, expect, it } from '@jest/globals';
import { basketStatuses } from '@xs2a/domain/basket/basket-transitions';

import { paymentStatuses } from '@xs2a/domain/payment/payment-state';
import { scaStatuses } from '@xs2a/domain/sca/authorisations';
import { consentStatusMeanings } from '@xs2a/domain/status-meanings';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { schemasFor } from './schemas/schemas.js';

interface Described {
  readonly properties: Readonly<Record<string, { readonly $ref: string; readonly items: Described }>>;
  readonly enum: readonly string[];
}
const schemas = schemasFor(makeProfile('sandbox')) as unknown as Readonly<Record<string, Described>>;

/**
 * Returns the enum values of a named schema, or of a field of a named schema; the field may refer to another named
 * schema.
 */
const valuesOf = (name: string, field?: string): readonly string[] | undefined => {
  if (field === undefined) return schemas[name]?.enum;
  const own = schemas[name]?.properties[field] as unknown as Described & { readonly $ref?: string };
  return own.$ref === undefined ? own.enum : valuesOf(own.$ref.replace('#/components/schemas/', ''));
};

describe('the status enum in the OpenAPI document (contract 5, 8, 9, 10)', () => {
  it.each([
    ['BasketItem', 'transactionStatus'],
    ['OwnPayment', 'transactionStatus'],
    ['TimelineEvent', 'status'],
    ['BulkPaymentDetails', 'transactionStatus'],
    ['BulkPaymentStatus', 'transactionStatus'],
  ])('includes PART where the resource can be a bulk payment: %s.%s', (name, field) => {
    expect(valuesOf(name, field)).toEqual([...paymentStatuses]);
  });

  it('lists every status except PART for a single payment and a periodic order', () => {
    const own = paymentStatuses.filter((status) => status !== 'PART');
    for (const name of ['PaymentDetails', 'PaymentStatus', 'PeriodicPaymentDetails'])
      expect([name, valuesOf(name, 'transactionStatus')]).toEqual([name, own]);
  });

  it('lists exactly the statuses that the API returns for a basket, a consent and an authorisation', () => {
    expect(valuesOf('BasketStatusAnswer', 'transactionStatus')).toEqual([...basketStatuses]);
    expect(valuesOf('BasketItem', 'consentStatus')?.toSorted()).toEqual(
      Object.keys(consentStatusMeanings).sort(),
    );
    expect(valuesOf('ScaStatus', 'scaStatus')).toEqual([...scaStatuses]);
  });
});
