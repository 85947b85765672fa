import type { Projection } from '@xs2a/event-store/projections/projection';
import { paymentVolumeDaily } from './payment-volume-daily.projection.js';

/** The read models that are built from the payments' log. `timeZone` is the bank's time zone. */
export const paymentProjections = (timeZone: string): readonly Projection[] => [paymentVolumeDaily(timeZone)];
