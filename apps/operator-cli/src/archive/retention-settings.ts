import type { EventResource } from '@xs2a/contracts/published-event';
import { readConfig, retentionConfig } from '@xs2a/runtime/config';

/** When the payments or consents of a bank leave its database, and for how long their files are kept. */
export interface Retention {
  /** Calendar months, the present one included, for which a payment or consent has ended before it is archived. */
  readonly archivedAfterMonths: number;
  /** The years for which a file is kept, from the end of the year in which its payments or consents ended. */
  readonly retainedYears: number;
}

/** Reads the bank's settings for a resource. Throws ConfigError when one is wrong. */
export const readRetention = (resource: EventResource, env: NodeJS.ProcessEnv = process.env): Retention => {
  const settings = readConfig(retentionConfig, env);
  return resource === 'payments'
    ? {
        archivedAfterMonths: settings.PAYMENTS_ARCHIVED_AFTER_MONTHS,
        retainedYears: settings.PAYMENTS_RETAINED_YEARS,
      }
    : {
        archivedAfterMonths: settings.CONSENTS_ARCHIVED_AFTER_MONTHS,
        retainedYears: settings.CONSENTS_RETAINED_YEARS,
      };
};
