import { serviceNames } from '@xs2a/contracts/services';

/** The page, or section of a page, in docs/runbooks for each check. A check that is absent is explained completely by its line. */
const pages: Readonly<Record<string, string>> = {
  ...Object.fromEntries(serviceNames.map((service) => [service, 'service-does-not-answer'])),
  services: 'service-does-not-answer',
  postgres: 'service-does-not-answer',
  'public address': 'service-does-not-answer',
  migrations: 'service-does-not-answer#a-job-failed',
  clock: 'service-does-not-answer#one-of-several-instances-hangs',
  restarts: 'service-does-not-answer',
  'core-bank': 'core-bank-slow',
  settlement: 'payments-do-not-settle',
  'leader settlement': 'payments-do-not-settle',
  'leader payments': 'database-went-back#a-relay-refuses-to-publish',
  'leader consents': 'database-went-back#a-relay-refuses-to-publish',
  'leader notifications': 'push-fails',
  'status push': 'push-fails',
  'lost events': 'database-went-back',
  replication: 'database-went-back',
  nats: 'nats-lost-its-files',
  'nats access': 'nats-lost-its-files',
  'stream payments': 'nats-lost-its-files',
  'stream consents': 'nats-lost-its-files',
  'relay payments': 'nats-lost-its-files',
  'relay consents': 'nats-lost-its-files',
  'jetstream storage': 'disk-fills',
  disk: 'disk-fills',
  certificates: 'certificate-ends',
  projections: 'dead-letter#a-read-model-is-behind',
  consumers: 'dead-letter#events-wait-for-a-consumer',
  'dead letters': 'dead-letter',
};

/** Returns the path of the runbook for a check, in the repository; undefined if it has none. */
export const runbookFor = (check: string): string | undefined => {
  const [page, section] = pages[check]?.split('#') ?? [];
  if (page === undefined) return undefined;
  return `docs/runbooks/${page}.md${section === undefined ? '' : `#${section}`}`;
};
