import type { InitiationKind, Initiations } from '../bank/initiations.js';
import type { Begun } from '../payments/payment-initiation.js';
import type { BasketItem, KnownBasket, Session } from '../page/sessions.js';
import { freeItems } from './basket-items.js';

const kind: InitiationKind = { bankPath: '/v1/signing-baskets', ownPath: '/baskets' };
/** The bank is asked for the status of each, so only this many of the latest: more would be too many calls for a page. */
const maxAsked = 20;
/** The maximum number of items in a basket (contract 10). No more are offered, because all of them may be chosen. */
const maxOffered = 10;

export interface ItemState {
  readonly paymentId?: string;
  readonly transactionStatus: string;
  readonly fundsAvailable?: boolean;
}
export interface BasketState {
  readonly transactionStatus: string;
  readonly items?: readonly ItemState[];
}

/** Signing baskets: several payments and bulks that are signed at once. */
export class SigningBaskets {
  constructor(private readonly initiations: Initiations) {}

  /** The payments and bulks that wait for their signature and are in no basket; the latest ones when there are many. */
  async offered(session: Session): Promise<readonly BasketItem[]> {
    const items = freeItems(session).slice(-maxAsked);
    if (items.length === 0) return [];
    const states = await this.initiations.readAll<ItemState>(items.map(({ statusPath }) => statusPath));
    return items.filter((_item, index) => states[index]?.transactionStatus === 'RCVD').slice(-maxOffered);
  }

  async begin(session: Session, items: readonly BasketItem[], psuIp: string): Promise<Begun> {
    const psu = { id: session.connection?.psuId, ip: psuIp };
    const json = { paymentIds: items.map(({ resourceId }) => resourceId) };
    const outcome = await this.initiations.begin(kind, json, psu);
    if ('refused' in outcome) return outcome;
    const { id, resourceId, scaRedirect } = outcome;
    session.baskets.set(id, { resourceId, items, scaRedirect });
    delete session.basketChoice;
    return { scaRedirect };
  }

  /** The status of the basket and of its items at the bank; undefined: it no longer exists there. */
  async state({ resourceId }: KnownBasket): Promise<BasketState | undefined> {
    return this.initiations.read<BasketState>(`${kind.bankPath}/${resourceId}`);
  }

  /** Dissolves it at the bank, so that its items are free again; false: it is too late. */
  async dissolve(known: KnownBasket): Promise<boolean> {
    const isDissolved = await this.initiations.cancel(`${kind.bankPath}/${known.resourceId}`);
    if (isDissolved) known.isDissolved = true;
    return isDissolved;
  }
}
