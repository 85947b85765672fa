import type { EventResource } from '@xs2a/contracts/event-streams';
import { readConfig, retentionConfig } from '@xs2a/runtime/config';

/** When a bank's payments or consents are moved out of its database, and for how long the archive files are kept. */
export interface Retention {
  /** The number of calendar months after which an ended payment or consent is archived, including the current month. */
  readonly archivedAfterMonths: number;
  /** The number of years for which a file is kept, from the end of the year in which its payments or consents ended. */
  readonly retainedYears: number;
}

/** Reads the bank's settings for a resource. Throws ConfigError if a setting is invalid. */
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
