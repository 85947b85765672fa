import { createLogger } from '@xs2a/observability/logger';
import { appendFileSync } from 'node:fs';
import { setTimeout as pass } from 'node:timers/promises';
import type { RequestOf } from '@xs2a/contracts/call';
import { connectCalls } from '@xs2a/nats/connection';
import { BoundedNatsServer } from '../server.strategy.js';
import { read, write } from './twice.contract.js';

// A service process that tests start twice. Its arguments are <NATS URL> <name> <file to which it logs the
// work that it starts>.
const [url = '', name = '', file = ''] = process.argv.slice(2);
const logger = createLogger(name, 'warn');
const nats = await connectCalls(url, name, logger);
const server = new BoundedNatsServer({
  nats,
  service: 'twice',
  clock: { offsetMs: 0, raiseTo: () => undefined },
  logger,
  isUnavailable: () => false,
});
const work = async ({ id, takesMs = 0 }: RequestOf<typeof write>): Promise<{ by: string }> => {
  appendFileSync(file, `${id}\n`);
  await pass(takesMs);
  return { by: name };
};
server.addHandler(read.subject, work);
server.addHandler(write.subject, work);
await server.listen((error) => {
  if (error !== undefined) throw error as Error;
});
