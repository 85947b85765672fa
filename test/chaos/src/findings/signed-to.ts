import { paymentEventTypes } from '@xs2a/domain/payment/payment-event-types';
import { encryptMembers } from '@xs2a/event-store/encryption/encrypted-members';
import {
  decryptStored,
  placeOfEvent,
  streamKeyOf,
  unwrapped,
} from '@xs2a/event-store/encryption/stream-keys';
import type { ChaosWorld } from '../world.js';

/** Returns, as JSON, the signature data that would be stored if the payment had gone to another account. */
export const signedTo = async (
  { schemas, masterKeys }: ChaosWorld,
  streamId: string,
  creditorAccount: string,
): Promise<string> => {
  const { rows } = await schemas
    .of('payments')
    .query<{ event_id: string; data: unknown; stream_key: Buffer }>(
      `SELECT event_id, data, ${streamKeyOf('e')} AS stream_key FROM events e WHERE stream_id = $1 AND type = 'signed'`,
      [streamId],
    );
  const [row] = rows;
  const key = unwrapped(row?.stream_key, { masterKeys });
  const { fields } = paymentEventTypes.signed;
  if (row === undefined || key === undefined) throw new Error(`${streamId} was not signed`);
  const place = placeOfEvent(row.event_id);
  const data = decryptStored(row.data, { streamId, place, key }) as { readonly order: object };
  const changed = { ...data, order: { ...data.order, creditorAccount } };
  return JSON.stringify(encryptMembers(changed, { fields, key: key.bytes, place }));
};
