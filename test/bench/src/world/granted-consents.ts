import { appendMany } from '../streams/append-streams.js';
import { authorisedConsent } from '../streams/consent-streams.js';
import { openStores } from '../streams/event-stores.js';
import type { BenchWorld } from './bench-world.js';
import { type Customer, inTurn } from './customers.js';
import { realTime } from './real-time.js';

/**
 * Creates `count` authorised consents, cycling through the accounts. The domain produces their events, and the
 * event store appends them without the bank's pages, on which a newer consent would replace the previous one.
 * Returns their ids in the same order.
 */
export const grantConsents = async (
  { sandbox, database, clientId: tppId }: BenchWorld,
  accounts: readonly Customer[],
  count: number,
): Promise<readonly string[]> => {
  const { consents, profile, end } = openStores(sandbox, realTime);
  try {
    const grant = (number: number) => {
      const account = inTurn(number, accounts);
      // Every ten minutes, the service ends all recurring consents of a PSU and a TPP but the newest.
      const holder = { ...account, psuId: `${account.psuId}-${number}` };
      return authorisedConsent({ at: realTime.nowMs(), holder, tppId, profile });
    };
    const ids = await appendMany(consents, count, grant);
    await database.query('ANALYZE consents.consent_view');
    return ids;
  } finally {
    await end();
  }
};
