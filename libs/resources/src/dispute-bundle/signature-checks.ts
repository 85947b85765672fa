import type { BundleEvent } from '@xs2a/contracts/dispute-bundle.contract';
import type { PeriodicSchedule } from '@xs2a/domain/order/periodic-schedule';
import type { MinorAmount, PaymentOrder } from '@xs2a/domain/payment/payment-events';
import type { PaymentService } from '@xs2a/domain/payment/payment-services';
import { total } from '@xs2a/domain/payment/pricing/price-order';
import type { ShownRow, SignatureEvidence } from '@xs2a/domain/sca/signature-evidence';
import { signedPayment } from '@xs2a/domain/sca/signed-payment';
import { digestContent } from '@xs2a/runtime/signing/basket-summary';

/** The types of payment events that contain the signature of a PSU. */
const signatureTypes: ReadonlySet<string> = new Set(['partly-signed', 'signed']);
const services: Readonly<Record<string, PaymentService>> = {
  initiated: 'payments',
  'order-initiated': 'periodic-payments',
  'bulk-initiated': 'bulk-payments',
};

/** What a dispute bundle proves about one signature of a PSU. */
export interface SignatureCheck {
  /** The version of the event that contains the signature. */
  readonly version: number;
  /** True if the SCA code was bound to this payment; undefined if the event contains no digest of the signed content. */
  readonly isBound: boolean | undefined;
  /** True if the SCA page showed the amount and the payee of this payment; undefined if the event contains no rows of the page. */
  readonly isShown: boolean | undefined;
  /** True if the PSU signed a signing basket and not the payment individually. */
  readonly isOfBasket: boolean;
}

interface CheckedEvents {
  readonly events: readonly Pick<BundleEvent, 'version' | 'type' | 'data'>[];
}

interface Initiation {
  readonly paymentId: string;
  readonly order?: PaymentOrder;
  readonly orders?: readonly PaymentOrder[];
  readonly schedule?: PeriodicSchedule;
}

/** Compares each signature in a dispute bundle with the payment, by the same rules as `docs/verify-bundle.html`. */
export const checkSignatures = ({ events }: CheckedEvents): readonly SignatureCheck[] => {
  const [first] = events;
  const service = services[first?.type ?? ''];
  if (first === undefined || service === undefined) return [];
  const {
    paymentId,
    order,
    orders = order === undefined ? [] : [order],
    schedule,
  } = first.data as Initiation;
  const digest = digestContent(signedPayment({ paymentId, service, orders, schedule }));
  const isBound = ({ binding, items }: SignatureEvidence, version: number): boolean => {
    if (items === undefined) return binding === digest;
    const grouped = events.findLast((event) => event.type === 'grouped' && event.version < version);
    const { basketId = '' } = (grouped?.data ?? {}) as { readonly basketId?: string };
    return (
      items.includes(digest) && binding === digestContent({ kind: 'basket', resourceId: basketId, items })
    );
  };
  return events
    .filter(({ type }) => signatureTypes.has(type))
    .map(({ version, data }) => {
      const { evidence } = data as { readonly evidence?: SignatureEvidence };
      return {
        version,
        isBound: evidence && isBound(evidence, version),
        isShown: evidence?.rows && showsContent(evidence.rows, orders, service === 'bulk-payments'),
        isOfBasket: evidence?.items !== undefined,
      };
    });
};

/**
 * Returns true if the rows of an SCA page show the amount and the payee of a payment, or the total and the number of payments of a
 * bulk payment.
 */
export const showsContent = (
  rows: readonly ShownRow[],
  orders: readonly PaymentOrder[],
  isBulk: boolean,
): boolean => {
  const [order] = orders;
  if (order === undefined) return false;
  const valueOf = (part: ShownRow['shows']): string | undefined => {
    const [value, ...more] = rows.filter(({ shows }) => shows === part).map((row) => row.value);
    return more.length === 0 ? value : undefined;
  };
  const amount = total(orders.map((one) => one.amount));
  if (!isAmountIn(valueOf('amount') ?? '', amount)) return false;
  if (isBulk) return valueOf('count') === String(orders.length);
  return (
    isDisplayOf(valueOf('payee'), order.creditorName) &&
    isDisplayOf(valueOf('payeeAccount'), order.creditorAccount)
  );
};

/** Returns a text as a browser displays it: HTML collapses white space to one space and removes it at both ends. */
const displayed = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

const isDisplayOf = (shown: string | undefined, text: string): boolean =>
  shown !== undefined && displayed(shown) === displayed(text);

/** Returns how the SCA pages write a currency: its ISO code, or its symbol in Bulgarian or English. */
const notationsOf = (currency: string): readonly string[] => [
  currency,
  ...(['bg-BG', 'en-GB'] as const).flatMap((locale) =>
    new Intl.NumberFormat(locale, { style: 'currency', currency })
      .formatToParts(0)
      .flatMap((part) => (part.type === 'currency' ? [part.value] : [])),
  ),
];

/** Returns true if the text contains the currency and the digits of the amount, with any separators between the digits. */
const isAmountIn = (text: string, { minor, currency }: MinorAmount): boolean =>
  notationsOf(currency).some((notation) => text.includes(notation)) &&
  [...text.matchAll(/\d[\d\s.,]*/g)].some(
    ([digits]) => digits.replaceAll(/\D/g, '').replace(/^0+/, '') === String(minor),
  );
