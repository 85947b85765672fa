import type { BasketState } from '@xs2a/domain/basket/basket-state';
import { findBasketStatus } from '@xs2a/domain/basket/basket-transitions';
import type { ConsentState } from '@xs2a/domain/consent/consent-state';
import type { PaymentState } from '@xs2a/domain/payment/payment-state';
import type { Connections } from '../connections.js';
import { table } from '../command-line/output.js';
import { fundsText, summarise } from './show.js';

/** An item of a signing basket in its current state, without account numbers. */
export interface ShownItem {
  readonly id: string;
  /** The payment service of a payment, or `consent`. */
  readonly kind: string;
  readonly status: string;
  /** Set only for payments; null for a consent. */
  readonly fundsAvailable: boolean | null;
  /** The amount of a payment in major units with its currency; null for a consent. */
  readonly amount: string | null;
}

/** A signing basket in its current state. */
export interface ShownBasket {
  readonly basketId: string;
  readonly tppId: string;
  /**
   * The status. A basket that has no status yet is `opening` while it claims its items, and `abandoned` if that
   * failed.
   */
  readonly status: string;
  readonly rejectionReason: string | null;
  readonly signatures: { readonly made: number; readonly required: number };
  /** The deadline: if any signature is missing at that time, the basket and all its items are rejected. */
  readonly expiresAt: string;
  /** The time since which the items have been waiting for the outcome of the basket; null if they are up to date. */
  readonly updatesItemsSince: string | null;
  /** The items in the order of the request body, payments first. */
  readonly items: readonly ShownItem[];
}

/** Reads the current state of a signing basket and its items. */
export const findBasket = async (connections: Connections, id: string): Promise<ShownBasket | undefined> => {
  const { rows } = await connections
    .pool('payments')
    .query<{ state: BasketState }>('SELECT state FROM basket_view WHERE stream_id = $1', [id]);
  const state = rows[0]?.state;
  return state && shown(state, await listItems(connections, state));
};

const shown = (state: BasketState, items: readonly ShownItem[]): ShownBasket => ({
  basketId: state.basketId,
  tppId: state.tppId,
  status: findBasketStatus(state.stage) ?? state.stage,
  rejectionReason: state.rejectionReason ?? null,
  signatures: {
    made: state.authorisations.filter(({ scaStatus }) => scaStatus === 'finalised').length,
    required: state.signaturesRequired,
  },
  expiresAt: state.expiresAt,
  updatesItemsSince: state.updatesItemsSince ?? null,
  items,
});

const listItems = async (
  connections: Connections,
  { paymentIds, consentIds }: BasketState,
): Promise<ShownItem[]> => {
  const [payments, consents] = await Promise.all([
    connections.pool('payments').query<{
      id: string;
      state: PaymentState;
    }>('SELECT stream_id AS id, state FROM payment_view WHERE stream_id = ANY($1::uuid[])', [paymentIds]),
    connections.pool('consents').query<{
      id: string;
      state: ConsentState;
    }>('SELECT stream_id AS id, state FROM consent_view WHERE stream_id = ANY($1::uuid[])', [consentIds]),
  ]);
  const ofPayments = payments.rows.map(({ id, state }): ShownItem => {
    const { service: kind, status, fundsAvailable, amount } = summarise(state);
    return { id, kind, status, fundsAvailable, amount };
  });
  const ofConsents = consents.rows.map(({ id, state }): ShownItem => ({
    id,
    kind: 'consent',
    status: state.status,
    fundsAvailable: null,
    amount: null,
  }));
  const byId = new Map([...ofPayments, ...ofConsents].map((item) => [item.id, item]));
  return [...paymentIds, ...consentIds].flatMap((id) => byId.get(id) ?? []);
};

export const itemsText = (items: readonly ShownItem[]): string =>
  table(items, {
    item: ({ id }) => id,
    what: ({ kind }) => kind,
    amount: ({ amount }) => amount,
    status: ({ status, fundsAvailable }) => `${status} ${fundsText(fundsAvailable)}`.trim(),
  });

/** Formats a signing basket as text, with each of its items. */
export const basketText = (basket: ShownBasket): string => {
  const { basketId, status, rejectionReason, tppId, signatures, expiresAt, updatesItemsSince } = basket;
  const awaitsSignature = status === 'RCVD' || status === 'PATC';
  return [
    `signing basket ${basketId}: ${status}${rejectionReason === null ? '' : ` (${rejectionReason})`}`,
    `TPP ${tppId}, ${signatures.made} of ${signatures.required} signed${awaitsSignature ? `, expires ${expiresAt}` : ''}`,
    ...(updatesItemsSince === null
      ? []
      : [`its items have been waiting for an update since ${updatesItemsSince}`]),
    itemsText(basket.items),
  ].join('\n');
};
