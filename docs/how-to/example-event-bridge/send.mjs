/**
 * Resolves when the other broker has stored the record. Here it is a line on standard output; with Kafka (package kafkajs,
 * a producer made with `idempotent: true`): `await producer.send({ topic: 'xs2a.payments', acks: -1, messages: [record] })`.
 */
export const send = async (record) => {
  process.stdout.write(`${JSON.stringify(record)}\n`);
};
