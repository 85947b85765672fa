import { createConsent } from '@xs2a/contracts/consents.contract';
import type { ServiceCalls } from '@xs2a/sandbox/services/service-calls';
import { readProfile } from '@xs2a/runtime/profile-file';
import { root } from '@xs2a/sandbox/layout';
import { join } from 'node:path';
import type { BenchWorld } from './bench-world.js';
import { type Customer, inTurn } from './customers.js';
import { authorisedConsent } from '../streams/consent-streams.js';
import { openStores } from '../streams/event-stores.js';
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

const consentsAtOnce = 500;

/**
 * Makes `count` authorised consents, in turn over the accounts: decided by the domain and appended by the event store, past the bank's
 * pages, where a newer consent would replace the one before. Answers their ids, in turn too.
 */
export const grantConsents = async (
  { sandbox, clientId: tppId }: BenchWorld,
  accounts: readonly Customer[],
  count: number,
): Promise<readonly string[]> => {
  const profile = readProfile(join(root, 'deploy/profiles/sandbox.json'));
  const { consents, end } = openStores(sandbox, profile, realTime);
  try {
    const ids: string[] = [];
    for (let from = 0; from < count; from += consentsAtOnce) {
      const numbers = Array.from(
        { length: Math.min(consentsAtOnce, count - from) },
        (_none, index) => from + index,
      );
      const at = realTime.nowMs();
      const granted = numbers.map((number) =>
        authorisedConsent({ at, holder: inTurn(number, accounts), tppId, profile }),
      );
      await Promise.all(
        granted.map(async ({ consentId, events }) => {
          const outcome = await consents.append({ streamId: consentId, events, actor: tppId });
          if (outcome !== 'appended') throw new Error('a consent was not appended');
        }),
      );
      ids.push(...granted.map(({ consentId }) => consentId));
    }
    await withClient(sandbox.databaseUrl('postgres'), async (client) =>
      client.query('ANALYZE consents.consent_view'),
    );
    return ids;
  } finally {
    await end();
  }
};
