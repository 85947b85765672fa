import type { PeriodicSchedule } from '../order/periodic-schedule.js';
import type { MinorAmount } from '../payment/payment-events.js';

/** The part of a bulk entry that an OTP code is bound to. */
interface BulkPayee {
  readonly account: string;
  readonly name: string;
  readonly amount: MinorAmount;
}

/** The content of the review page, which the PSU signs with an OTP code. */
export type SignedContent =
  | {
      readonly kind: 'payment';
      readonly resourceId: string;
      readonly amount: MinorAmount;
      readonly payeeAccount: string;
      readonly payeeName: string;
    }
  | {
      readonly kind: 'order';
      readonly resourceId: string;
      /** The amount of each payment of the order. */
      readonly amount: MinorAmount;
      readonly payeeAccount: string;
      readonly payeeName: string;
      readonly schedule: PeriodicSchedule;
    }
  | {
      readonly kind: 'bulk';
      readonly resourceId: string;
      readonly total: MinorAmount;
      /** In the order of the bulk payment's entries. */
      readonly payees: readonly BulkPayee[];
    }
  | {
      readonly kind: 'basket';
      readonly resourceId: string;
      /** The digests of the items' contents, in the order of the basket: payments, then consents. */
      readonly items: readonly string[];
    }
  | {
      readonly kind: 'consent';
      readonly resourceId: string;
      /** The IBANs that the consent gives access to. */
      readonly accounts: readonly string[];
    };

const splitAmount = ({ minor, currency }: MinorAmount): readonly unknown[] => [minor, currency];

const scheduleParts = (schedule: PeriodicSchedule): readonly unknown[] => [
  schedule.startDate,
  schedule.endDate ?? null,
  schedule.numberOfPayments ?? null,
  schedule.frequency,
  schedule.dayOfExecution ?? null,
  [...(schedule.monthsOfExecution ?? [])].sort((one, other) => one - other),
  schedule.executionRule ?? null,
];

function boundParts(content: SignedContent): readonly unknown[] {
  switch (content.kind) {
    case 'payment':
      return [...splitAmount(content.amount), content.payeeAccount, content.payeeName];
    case 'order':
      return [
        ...splitAmount(content.amount),
        content.payeeAccount,
        content.payeeName,
        scheduleParts(content.schedule),
      ];
    case 'bulk':
      return [
        ...splitAmount(content.total),
        content.payees.length,
        content.payees.map(({ account, name, amount }) => [account, name, ...splitAmount(amount)]),
      ];
    case 'basket':
      return [content.items];
    case 'consent':
      return [[...new Set(content.accounts)].sort()];
  }
}

/**
 * The canonical text of the signed content (dynamic linking, RTS on SCA article 5). The code is bound to the hash
 * of this text, which also serves as the digest of the payees of a bulk payment. Two contents have the same text
 * only if they are equal, except that the order of a consent's accounts and of a periodic order's months is
 * ignored.
 */
export const otpBinding = (content: SignedContent): string =>
  JSON.stringify(['v1', content.kind, content.resourceId, ...boundParts(content)]);
