import type { InitiationKind, Initiations } from '../bank/initiations.js';
import type { Begun } from '../payments/payment-initiation.js';
import type { KnownOrder, Session } from '../page/sessions.js';
import { orderBody, type EnteredOrder } from './entered-order.js';

const kind: InitiationKind = { bankPath: '/v1/periodic-payments/domestic', ownPath: '/orders' };

export interface Occurrence {
  readonly executionDate: string;
  readonly transactionStatus: string;
  readonly fundsAvailable?: boolean;
}
export interface OrderState {
  readonly transactionStatus: string;
  readonly occurrences?: readonly Occurrence[];
}

/** Standing orders: the bank's periodic payments. */
export class StandingOrders {
  constructor(private readonly initiations: Initiations) {}

  async begin(session: Session, entered: EnteredOrder, psuIp: string): Promise<Begun> {
    const psu = { id: session.connection?.psuId, ip: psuIp };
    const outcome = await this.initiations.begin(kind, orderBody(entered), psu);
    if ('refused' in outcome) return outcome;
    const { id, resourceId, scaRedirect } = outcome;
    session.orders.set(id, { resourceId, entered });
    return { scaRedirect };
  }

  /** The status of the order at the bank, with its latest occurrences and the next one; undefined: it no longer exists there. */
  async state({ resourceId }: KnownOrder): Promise<OrderState | undefined> {
    return this.initiations.read<OrderState>(`${kind.bankPath}/${resourceId}`);
  }

  /** Ends it at the bank; false: it has already ended. */
  async cancel({ resourceId }: KnownOrder): Promise<boolean> {
    return this.initiations.cancel(`${kind.bankPath}/${resourceId}`);
  }
}
