import type { EventResource } from '@xs2a/contracts/published-event';
import { type BasketStage, isFinalBasket } from '@xs2a/domain/basket/basket-transitions';
import type { ConsentStatus } from '@xs2a/domain/consent/consent-state';
import { isFinalConsent } from '@xs2a/domain/consent/consent-transitions';
import { isFinal, type StatusFields } from '@xs2a/domain/payment/payment-transitions';

/** A status view, and the condition on its columns that shows that a stream has ended. */
export interface ViewEnding {
  readonly table: string;
  /** The columns that `isEnded` reads. */
  readonly columns: readonly string[];
  isEnded(row: Readonly<Record<string, unknown>>): boolean;
  /**
   * Tables with more data about each stream, and the column that contains the stream id. Their rows are removed
   * together with the view's row.
   */
  readonly related?: readonly { readonly table: string; readonly column: string }[];
}

const isEndedPayment = ({
  status,
  service,
  funds_available: fundsAvailable,
}: Readonly<Record<string, unknown>>): boolean =>
  isFinal({ status, service, fundsAvailable: fundsAvailable ?? undefined } as StatusFields);

/** The tables of a resource that contain data about its streams. */
export interface ArchivedTables {
  readonly views: readonly ViewEnding[];
}

/** A stream that has work pending at its `due_at` has not ended and is not archived. */
export const archivedTables: Readonly<Record<EventResource, ArchivedTables>> = {
  payments: {
    views: [
      {
        table: 'payment_view',
        columns: ['status', 'service', 'funds_available', 'due_at'],
        isEnded: (row) => row['due_at'] === null && isEndedPayment(row),
      },
      {
        table: 'basket_view',
        columns: ['stage', 'due_at'],
        isEnded: (row) => row['due_at'] === null && isFinalBasket(row['stage'] as BasketStage),
      },
    ],
  },
  consents: {
    views: [
      {
        table: 'consent_view',
        columns: ['status', 'due_at'],
        isEnded: (row) => row['due_at'] === null && isFinalConsent(row['status'] as ConsentStatus),
        related: [
          { table: 'access_window', column: 'consent_id' },
          { table: 'consent_use', column: 'consent_id' },
        ],
      },
    ],
  },
};
