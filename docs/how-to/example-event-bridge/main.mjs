// Forwards the events of one JetStream stream to another broker, in order and at least once, with one process
// per durable consumer. docs/how-to/publish-events-elsewhere.md describes the setup.
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { send } from './send.mjs';

const { NATS_URL = '', STREAM = 'PAYMENTS', DURABLE = 'bridge', ACK_WAIT_SECONDS = '30' } = process.env;
const { protocol, username, password, host } = new URL(NATS_URL);

const nats = await connect({
  servers: host,
  user: username,
  pass: decodeURIComponent(password),
  // The only inbox prefix to which this NATS user may subscribe.
  inboxPrefix: `_INBOX.${username}`,
  name: DURABLE,
  maxReconnectAttempts: -1,
  ...(protocol === 'tls:' ? { tls: {} } : {}),
});

/**
 * Creates the durable consumer as a user with the required permission (`operator-streams`), starting at the oldest
 * event in the stream.
 */
const make = async () => {
  const { consumers } = await jetstreamManager(nats);
  await consumers.add(STREAM, {
    durable_name: DURABLE,
    deliver_policy: 'all',
    ack_policy: AckPolicy.Explicit,
    // An unacknowledged event is redelivered after this many nanoseconds. No later event is delivered before
    // it, so the order is preserved.
    ack_wait: Number(ACK_WAIT_SECONDS) * 1e9,
    max_ack_pending: 1,
  });
};

/** An error from `send` terminates the process, and the unacknowledged event is redelivered to the next process. */
const run = async () => {
  const consumer = await jetstream(nats).consumers.get(STREAM, DURABLE);
  const messages = await consumer.consume({ max_messages: 100 });
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => messages.stop());
  for await (const message of messages) {
    const { subject, id, type } = message.json();
    // The key is the payment or consent id, so its events stay in one partition of the other broker.
    await send({ key: subject, value: message.string(), headers: { id, type } });
    message.ack();
  }
};

await (process.argv[2] === 'make' ? make() : run());
await nats.drain();
