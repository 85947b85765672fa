import { serviceNames } from '@xs2a/contracts/services';

/**
 * For each check its page, or section of a page, below `docs`: the same as in docs/runbooks/README.md. A check that is not
 * listed needs no page, because its line in the output of doctor says everything.
 */
const pages: Readonly<Record<string, string>> = {
  ...Object.fromEntries(serviceNames.map((service) => [service, 'runbooks/service-does-not-answer.md'])),
  services: 'runbooks/service-does-not-answer.md',
  postgres: 'runbooks/service-does-not-answer.md',
  'public address': 'runbooks/service-does-not-answer.md',
  migrations: 'runbooks/service-does-not-answer.md#a-job-failed',
  clock: 'runbooks/service-does-not-answer.md#one-of-several-instances-hangs',
  restarts: 'runbooks/service-does-not-answer.md',
  'core-bank': 'runbooks/core-bank-slow.md',
  settlement: 'runbooks/payments-do-not-settle.md',
  'leader settlement': 'runbooks/payments-do-not-settle.md',
  'leader payments': 'runbooks/database-went-back.md#a-relay-refuses-to-publish',
  'leader consents': 'runbooks/database-went-back.md#a-relay-refuses-to-publish',
  'leader notifications': 'runbooks/push-fails.md',
  'status push': 'runbooks/push-fails.md',
  'lost events': 'runbooks/database-went-back.md',
  replication: 'how-to/fail-over.md',
  nats: 'runbooks/nats-lost-its-files.md',
  'nats access': 'how-to/deploy-nats.md',
  'stream payments': 'runbooks/nats-lost-its-files.md',
  'stream consents': 'runbooks/nats-lost-its-files.md',
  'relay payments': 'runbooks/nats-lost-its-files.md',
  'relay consents': 'runbooks/nats-lost-its-files.md',
  'jetstream storage': 'runbooks/disk-fills.md',
  disk: 'runbooks/disk-fills.md',
  certificates: 'runbooks/certificate-ends.md',
  projections: 'runbooks/dead-letter.md#a-read-model-is-behind',
  consumers: 'runbooks/dead-letter.md#events-wait-for-a-consumer',
  'dead letters': 'runbooks/dead-letter.md',
};

/** Returns the page of a check, as a path in the repository; undefined if it has none. */
export const runbookFor = (check: string): string | undefined => {
  const page = pages[check];
  return page === undefined ? undefined : `docs/${page}`;
};
