// Hands the events of one JetStream stream to another broker, in order and each at least once; one process for each durable
// consumer. docs/how-to/publish-events-elsewhere.md says how it is set up.
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { send } from './send.mjs';

const { NATS_URL = '', STREAM = 'PAYMENTS', DURABLE = 'bridge', ACK_WAIT_SECONDS = '30' } = process.env;
const { protocol, username, password, host } = new URL(NATS_URL);

const nats = await connect({
  servers: host,
  user: username,
  pass: decodeURIComponent(password),
  // The only inbox that the user may subscribe to.
  inboxPrefix: `_INBOX.${username}`,
  name: DURABLE,
  maxReconnectAttempts: -1,
  ...(protocol === 'tls:' ? { tls: {} } : {}),
});

/** Makes the durable consumer, for a user that may (`operator-streams`): from the oldest event that the stream has. */
const make = async () => {
  const { consumers } = await jetstreamManager(nats);
  await consumers.add(STREAM, {
    durable_name: DURABLE,
    deliver_policy: 'all',
    ack_policy: AckPolicy.Explicit,
    // One that was not acknowledged comes again after so many nanoseconds, and until then none behind it: this keeps the order.
    ack_wait: Number(ACK_WAIT_SECONDS) * 1e9,
    max_ack_pending: 1,
  });
};

/** An error of `send` ends the process: the event that it has not acknowledged comes again to the next one. */
const run = async () => {
  const consumer = await jetstream(nats).consumers.get(STREAM, DURABLE);
  const messages = await consumer.consume({ max_messages: 100 });
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => messages.stop());
  for await (const message of messages) {
    const { subject, id, type } = message.json();
    // The key is the payment's or consent's id: its events stay in one partition of the other broker.
    await send({ key: subject, value: message.string(), headers: { id, type } });
    message.ack();
  }
};

await (process.argv[2] === 'make' ? make() : run());
await nats.drain();
