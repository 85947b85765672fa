import type { Logger } from '@xs2a/observability/logger';
import { isUnavailable } from './errors.js';
import { setTimeout as wait } from 'node:timers/promises';

const tryAgainMs = 500;

/** Returns the result of a query. Retries until the database is up, because it may be down while a service starts. */
export const whenThere = async <Answer>(ask: () => Promise<Answer>, logger: Logger): Promise<Answer> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      if (tries === 1) logger.warn({ error }, 'the database is down; the service starts once it is up');
      await wait(tryAgainMs);
    }
  }
};
