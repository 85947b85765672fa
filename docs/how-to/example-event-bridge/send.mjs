/**
 * Resolves once the other broker has stored the record. In this example, the record is printed as a line on
 * standard output. With Kafka (the kafkajs package, and a producer created with `idempotent: true`): `await
 * producer.send({ topic: 'xs2a.payments', acks: -1, messages: [record] })`.
 */
export const send = async (record) => {
  process.stdout.write(`${JSON.stringify(record)}\n`);
};
