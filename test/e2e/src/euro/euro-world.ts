import type { EuroProduct } from '@xs2a/domain/payment/payment-products';
import { euroExampleBodies } from '@xs2a/domain/payment/standards/euro-example-bodies';
import { bodyOf, type FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import type { Answer } from '@xs2a/tpp-client/http';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';

export interface EuroPsu extends FreshPsu {
  /** The person's only account, in EUR. */
  readonly iban: string;
}

/** Creates a person with one account in EUR. */
export const openEuroPerson = async (tpp: TppClient, opening = '1000.00'): Promise<EuroPsu> => {
  const answer = await tpp.call('POST', '/sandbox/psus', await tpp.applicationToken(), {
    json: { name: 'Тест Тестов', accounts: [{ currency: 'EUR', opening }] },
  });
  const psu = bodyOf<FreshPsu>(answer, 201);
  return { ...psu, iban: psu.accounts[0]?.iban ?? '' };
};

/** A valid body of a product, paid from an account. */
export const euroBody = (
  product: EuroProduct,
  iban: string,
  change: object = {},
): Record<string, unknown> => ({
  ...euroExampleBodies[product],
  debtorAccount: { iban },
  ...change,
});

export const post = async (
  tpp: TppClient,
  path: string,
  json: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => tpp.call('POST', path, await tpp.applicationToken(), { json, headers });
