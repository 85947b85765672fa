import type { EventResource } from '@xs2a/contracts/published-event';
import type { Folding } from '@xs2a/event-store/projections/inline-view-rebuild';
import type { InlineView } from '@xs2a/event-store/streams/inline-view';
import type { DomainEvent } from '@xs2a/event-store/streams/prepare-append';
import type { Projection } from '@xs2a/event-store/projections/projection';
import { projectionDifferences } from '@xs2a/event-store/projections/rebuild';
import { resources } from '@xs2a/event-store/resources';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Pool } from 'pg';

/** The repository's root, from src and from dist alike. */
const root = resolve(import.meta.dirname, '../../..');

/** The read models that a built app exports. */
interface Definitions {
  paymentProjections(timeZone: string): readonly Projection[];
  readonly paymentView: InlineView<unknown>;
  readonly basketView: InlineView<unknown>;
  consentView(timeZone: string): InlineView<unknown>;
}
const definitionsIn = async (file: string): Promise<Definitions> =>
  (await import(pathToFileURL(join(root, 'apps', file)).href)) as Definitions;

/** The read models that follow the log, as the built payments app defines them. */
export const definedProjections = async (timeZone: string): Promise<readonly Projection[]> =>
  (await definitionsIn('payments/dist/background/projections/payment-projections.js')).paymentProjections(
    timeZone,
  );

const makeColumns: Readonly<Record<string, (timeZone: string) => Promise<InlineView<unknown>>>> = {
  payment_view: async () => (await definitionsIn('payments/dist/store/payment-view.js')).paymentView,
  basket_view: async () => (await definitionsIn('payments/dist/baskets/basket-view.js')).basketView,
  consent_view: async (timeZone) =>
    (await definitionsIn('consents/dist/store/consent-view.js')).consentView(timeZone),
};

/** Folds the events of a resource into the rows of its status views, all columns of them. */
export const listStatusViews = async (
  resource: EventResource,
  timeZone: string,
): Promise<Folding<DomainEvent, unknown>[]> =>
  Promise.all(
    resources[resource].views.map(async ({ table, folding }) => {
      const view = await makeColumns[table]?.(timeZone);
      if (view === undefined) throw new Error(`No app defines the columns of ${table}.`);
      return { folding: { ...folding(timeZone), view } };
    }),
  );

/** Schema, role and event types with which a projection of payments is built anew. */
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
