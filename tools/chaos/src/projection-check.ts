import type { Projection } from '@xs2a/event-store/projection';
import { projectionDifferences } from '@xs2a/event-store/projection-rebuild';
import { resources } from '@xs2a/event-store/resources';
import { root } from '@xs2a/sandbox/layout';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Pool } from 'pg';

interface Definitions {
  paymentProjections(timeZone: string): readonly Projection[];
}

/** The read models that follow the log, as the built payments app defines them. */
export const definedProjections = async (timeZone: string): Promise<readonly Projection[]> => {
  const file = join(root, 'apps/payments/dist/payment-projections.js');
  const { paymentProjections } = (await import(pathToFileURL(file).href)) as Definitions;
  return paymentProjections(timeZone);
};

/** What is needed to build one anew; `pool` as the owner of the schema `payments`. */
export const projectionHome = {
  schema: 'payments',
  serviceRole: 'xs2a_payments',
  types: resources.payments.types,
} as const;

/**
 * Builds each from zero beside the live one, compares, and removes it again. Answers how many it compared, and a sentence
 * for each that is not what the events say.
 */
export const projectionViolations = async (
  pool: Pool,
  timeZone: string,
): Promise<{ readonly compared: number; readonly violations: readonly string[] }> => {
  const violations: string[] = [];
  const projections = await definedProjections(timeZone);
  for (const projection of projections) {
    const rows = await projectionDifferences({ ...projectionHome, pool, projection });
    if (rows > 0) violations.push(`${rows} rows of ${projection.name} are not what the events say`);
  }
  return { compared: projections.length, violations };
};
