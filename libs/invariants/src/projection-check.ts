import type { EventResource } from '@xs2a/contracts/event-streams';
import type { Folding } from '@xs2a/event-store/projections/inline-view-rebuild';
import type { InlineView } from '@xs2a/event-store/streams/inline-view';
import type { Projection } from '@xs2a/event-store/projections/projection';
import { projectionDifferences } from '@xs2a/event-store/projections/rebuild';
import { resources, type StreamKind, streamKinds } from '@xs2a/resources/resources';
import type { MasterKeys } from '@xs2a/runtime/master-keys';
import type { Pool } from 'pg';

/** The read models, as defined in the `read-models.ts` files of the apps `payments` and `consents`. */
export interface ReadModels {
  paymentProjections(timeZone: string): readonly Projection[];
  readonly paymentView: InlineView<never>;
  readonly basketView: InlineView<never>;
  consentView(timeZone: string): InlineView<never>;
}

const makeColumns: Readonly<Record<StreamKind, (models: ReadModels, timeZone: string) => InlineView<never>>> =
  {
    payment: ({ paymentView }) => paymentView,
    'signing-basket': ({ basketView }) => basketView,
    consent: ({ consentView }, timeZone) => consentView(timeZone),
  };

/**
 * Folds the events of a resource into complete status view rows. Columns with personal data are included only if
 * master keys are given.
 */
export const listStatusViews = (
  models: ReadModels,
  resource: EventResource,
  timeZone: string,
  masterKeys?: MasterKeys,
): Folding[] =>
  streamKinds[resource].map(({ name, view: { fields: ofState, folding } }) => {
    const personalData = masterKeys && { personalData: { masterKeys, ofState } };
    return { folding: { ...folding(timeZone), view: makeColumns[name](models, timeZone), ...personalData } };
  });

/**
 * Computes each projection again and compares the rows. Returns the number of projections compared and one sentence for each that does not match the events.
 */
export const projectionViolations = async (
  models: ReadModels,
  pool: Pool,
  timeZone: string,
): Promise<{ readonly compared: number; readonly violations: readonly string[] }> => {
  const violations: string[] = [];
  const projections = models.paymentProjections(timeZone);
  for (const projection of projections) {
    const rows = await projectionDifferences({ pool, projection, types: resources.payments.types });
    if (rows > 0) violations.push(`${rows} rows of ${projection.name} differ from the events`);
  }
  return { compared: projections.length, violations };
};
