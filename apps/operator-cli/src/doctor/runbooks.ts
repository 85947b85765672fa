import { serviceNames } from '@xs2a/contracts/services';

/** The page in docs/runbooks for each check. A check that is absent is explained completely by its line. */
const pages: Readonly<Record<string, string>> = {
  ...Object.fromEntries(serviceNames.map((service) => [service, 'service-does-not-answer'])),
  services: 'service-does-not-answer',
  postgres: 'service-does-not-answer',
  'public address': 'service-does-not-answer',
  migrations: 'service-does-not-answer',
  clock: 'service-does-not-answer',
  restarts: 'service-does-not-answer',
  'core-bank': 'core-bank-slow',
  settlement: 'payments-do-not-settle',
  'leader settlement': 'payments-do-not-settle',
  'leader payments': 'service-does-not-answer',
  'leader consents': 'service-does-not-answer',
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
  projections: 'dead-letter',
  consumers: 'dead-letter',
  'dead letters': 'dead-letter',
};

/** Returns the path of the runbook for a check, in the repository; undefined if it has none. */
export const runbookFor = (check: string): string | undefined => {
  const page = pages[check];
  return page === undefined ? undefined : `docs/runbooks/${page}.md`;
};
