import { advanceClock } from '@xs2a/contracts/accounts.contract';
import type { ServiceCalls } from '@xs2a/sandbox/services/service-calls';
import type { Client } from 'pg';
import { inTurn } from './customers.js';
import { signOne } from './signed-payments.js';
import { waitUntil } from './wait-until.js';

const minute = 60_000;

/** One complete payment, six events: initiated, accepted, signed, settled and booked. Returns its id. */
export const settledPayment = async (serviceCalls: ServiceCalls, client: Client): Promise<string> => {
  const paymentId = await signOne(serviceCalls, inTurn(0));
  const reached = async (type: string): Promise<boolean> => {
    const { rowCount } = await client.query(
      'SELECT FROM payments.events WHERE stream_id = $1 AND type = $2',
      [paymentId, type],
    );
    return rowCount === 1;
  };
  const moved = async (byMs: number, type: string): Promise<void> => {
    await serviceCalls.call(advanceClock, { byMs });
    await waitUntil(async () => reached(type), 25);
  };
  await moved(2 * minute, 'settled');
  await moved(6 * minute, 'entry-booked');
  return paymentId;
};
