import { authoriseConsent, createConsent } from '@xs2a/contracts/consents.contract';
import type { ServiceCalls } from '@xs2a/sandbox/services/service-calls';
import { randomUUID } from 'node:crypto';
import type { BenchWorld } from './bench-world.js';
import { type Customer, inTurn } from './customers.js';
import { withCalls } from './direct-calls.js';
import { realTime } from './real-time.js';
import { withClient } from './with-client.js';

const dayMs = 24 * 60 * 60 * 1000;

const consentBody = (iban: string): Record<string, unknown> => {
  const reference = [{ iban }];
  return {
    access: { accounts: reference, balances: reference, transactions: reference },
    recurringIndicator: true,
    validUntil: new Date(realTime.nowMs() + 30 * dayMs).toISOString().slice(0, 10),
    frequencyPerDay: 4,
    combinedServiceIndicator: false,
  };
};

/** A consent for everything on an account, which nobody has authorised. */
export const newConsent = async (
  calls: ServiceCalls,
  tppId: string,
  { psuId, iban }: Pick<Customer, 'psuId' | 'iban'>,
): Promise<{ readonly consentId: string; readonly authorisationId?: string }> =>
  calls.call(createConsent, {
    tppId,
    psuId,
    body: consentBody(iban),
    attempt: { path: 'POST /consents', hash: '' },
    redirectUris: {},
  });

/** A consent of this customer, created and authorised call by call. Answers its id. */
const grantOne = async ({ sandbox, clientId }: BenchWorld, { psuId, iban }: Customer): Promise<string> =>
  withCalls(sandbox, async (calls) => {
    const { consentId, authorisationId = '' } = await newConsent(calls, clientId, { psuId, iban });
    const { consentStatus } = await calls.call(authoriseConsent, { consentId, authorisationId, psuId });
    if (consentStatus !== 'valid') throw new Error(`the consent is ${consentStatus}`);
    return consentId;
  });

/**
 * So many authorised consents, in turn over the accounts: one that went its whole way, and copies of it in the status view
 * for the other accounts. The copies have no events, which reading does not look at. Answers their ids, in turn too.
 */
export const grantConsents = async (
  world: BenchWorld,
  accounts: readonly Customer[],
  count: number,
): Promise<readonly string[]> => {
  const model = inTurn(0, accounts);
  const consentId = await grantOne(world, model);
  const ids = Array.from({ length: count }, () => randomUUID());
  const holders = ids.map((_id, number) => inTurn(number, accounts));
  return withClient(world.sandbox.databaseUrl('postgres'), async (client) => {
    // A new consent of a holder replaces the one before; copies have a holder each, so that all of them stand.
    await client.query(
      `INSERT INTO consents.consent_view (stream_id, version, last_hash, state, tpp_id, holder, status, recurring, due_at)
        SELECT copy.id, version, last_hash,
          replace(replace(replace(replace(state::text, stream_id::text, copy.id::text), $5, copy.iban),
            $6, copy.resource_id), $7, copy.psu_id)::json,
          tpp_id, 'psu:' || copy.psu_id || ' ' || copy.id, status, recurring, due_at
        FROM consents.consent_view,
          unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) AS copy (id, iban, resource_id, psu_id)
        WHERE stream_id = $8`,
      [
        ids,
        holders.map(({ iban }) => iban),
        holders.map(({ resourceId }) => resourceId),
        holders.map(({ psuId }) => psuId),
        model.iban,
        model.resourceId,
        model.psuId,
        consentId,
      ],
    );
    await client.query('ANALYZE consents.consent_view');
    return ids;
  });
};
