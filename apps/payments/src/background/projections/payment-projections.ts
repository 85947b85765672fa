import type { Projection } from '@xs2a/event-store/projections/projection';
import { paymentEventIndex } from './payment-event-index.projection.js';
import { paymentVolumeDaily } from './payment-volume-daily.projection.js';

/** The read models that follow the payments' log. `timeZone` is the bank's. */
export const paymentProjections = (timeZone: string): readonly Projection[] => [
  paymentEventIndex,
  paymentVolumeDaily(timeZone),
];
