import { AckPolicy, DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { eventStreams, type PublishedEvent } from '@xs2a/contracts/published-event';
import { credentialsOf } from '@xs2a/messaging/connection';

/** The published events of one payment, oldest first (at most 100), as the operator's account sees them in JetStream. */
export const publishedEventsOf = async (natsUrl: string, paymentId: string): Promise<PublishedEvent[]> => {
  const nats = await connect({ ...credentialsOf(natsUrl), name: 'operator', timeout: 5000 });
  try {
    const { consumers } = await jetstreamManager(nats);
    const { name, num_pending: count } = await consumers.add(eventStreams.payments, {
      filter_subject: `xs2a.payments.*.${paymentId}`,
      ack_policy: AckPolicy.None,
      deliver_policy: DeliverPolicy.All,
      inactive_threshold: 10_000_000_000,
      mem_storage: true,
    });
    if (count === 0) return [];
    const consumer = await jetstream(nats).consumers.get(eventStreams.payments, name);
    const events: PublishedEvent[] = [];
    for await (const message of await consumer.fetch({ max_messages: Math.min(count, 100), expires: 5000 })) {
      events.push(message.json<PublishedEvent>());
    }
    await consumers.delete(eventStreams.payments, name);
    return events;
  } finally {
    await nats.close();
  }
};
