import * as consents from '@xs2a/consents/read-models';
import type { ReadModels } from '@xs2a/invariants/projection-check';
import * as payments from '@xs2a/payments/read-models';

/** The read models in this build, used to check the invariants. */
export const readModels: ReadModels = { ...payments, ...consents };
