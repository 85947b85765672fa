import { describe, expect, it } from '@jest/globals';
import { standardOf } from '@xs2a/domain/payment/standards/standards';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { budgetDetailsSchema } from './schemas/payment-schemas.js';

const propertiesIn = (name: 'sandbox' | 'bg-euro') => {
  const { properties = {} } = budgetDetailsSchema(standardOf(makeProfile(name)).budgetAttributes) as {
    readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
  };
  return properties;
};

describe('the schema of budgetPaymentDetails (contract 8, E2.5)', () => {
  it.each(['sandbox', 'bg-euro'] as const)('describes each attribute in words in profile %s', (profile) => {
    const described = Object.entries(propertiesIn(profile));
    expect(described.length).toBeGreaterThan(5);
    for (const [name, { description }] of described) {
      expect([name, description]).toEqual([name, expect.stringMatching(/^[A-Z].* /)]);
      expect(description?.toLowerCase().startsWith(name.toLowerCase())).toBe(false);
    }
  });

  it.each([
    ['taxPayerId', 'taxpayerId'],
    ['taxPayerType', 'taxpayerType'],
  ])('describes the attribute %s as another spelling of %s', (other, name) => {
    for (const profile of ['sandbox', 'bg-euro'] as const)
      expect(propertiesIn(profile)[other]?.description).toContain(`Other spelling of ${name};`);
  });

  it('states only in the euro profile under which condition an attribute is required or refused', () => {
    const { taxpayerId, paymentCategory } = propertiesIn('bg-euro');
    expect(taxpayerId?.description).toContain('required with taxpayerType, and if position 13');
    expect(paymentCategory?.description).toContain('only if positions 13 and 14');
    expect(propertiesIn('sandbox')['taxpayerId']?.description).not.toContain('required');
  });
});
