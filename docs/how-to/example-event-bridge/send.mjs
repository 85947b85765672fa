/**
 * Resolves once the other broker has stored the record. Here the record is a line on standard output; with Kafka
 * (the kafkajs package, and a producer created with `idempotent: true`): `await producer.send({ topic:
 * 'xs2a.payments', acks: -1, messages: [record] })`.
 */
export const send = async (record) => {
  process.stdout.write(`${JSON.stringify(record)}\n`);
};
