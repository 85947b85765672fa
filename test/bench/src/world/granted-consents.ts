import { readProfile } from '@xs2a/runtime/profile-file';
import { root } from '@xs2a/sandbox/layout';
import { join } from 'node:path';
import type { BenchWorld } from './bench-world.js';
import { type Customer, inTurn } from './customers.js';
import { authorisedConsent } from '../streams/consent-streams.js';
import { openStores } from '../streams/event-stores.js';
import { realTime } from './real-time.js';
import { withClient } from './with-client.js';

const consentsAtOnce = 500;

/**
 * Makes `count` authorised consents, in turn over the accounts: decided by the domain and appended by the event store, without the bank's
 * pages, where a newer consent would replace the previous one. Returns their ids in the same order.
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
