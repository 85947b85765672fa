import { AckPolicy, DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { eventStreams } from '@xs2a/contracts/event-streams';
import { toPartition, type PublishedEvent } from '@xs2a/events/published-event';
import { parseStreamCredentials } from '@xs2a/nats/nats-url';

/** Returns the published events of one payment, oldest first, read from JetStream with the operator's account. */
export const readPublishedEvents = async (natsUrl: string, paymentId: string): Promise<PublishedEvent[]> => {
  const nats = await connect({ ...parseStreamCredentials(natsUrl), name: 'operator', timeout: 5000 });
  try {
    const { consumers } = await jetstreamManager(nats);
    const { name, num_pending: count } = await consumers.add(eventStreams.payments, {
      filter_subject: `xs2a.payments.*.${toPartition(paymentId)}`,
      ack_policy: AckPolicy.None,
      deliver_policy: DeliverPolicy.All,
      inactive_threshold: 10_000_000_000,
      mem_storage: true,
    });
    const events: PublishedEvent[] = [];
    if (count === 0) return events;
    const consumer = await jetstream(nats).consumers.get(eventStreams.payments, name);
    for await (const message of await consumer.fetch({ max_messages: count, expires: 5000 })) {
      const event = message.json<PublishedEvent>();
      if (event.subject === paymentId) events.push(event);
    }
    await consumers.delete(eventStreams.payments, name);
    return events;
  } finally {
    await nats.close();
  }
};
