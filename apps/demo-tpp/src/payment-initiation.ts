import { randomUUID } from 'node:crypto';
import type { Bank, TppMessage } from './bank/bank.js';
import type { KnownPayment, Session } from './sessions.js';

const product = '/v1/payments/domestic-credit-transfer-BGN';

export interface PaymentWish {
  readonly debtorIban: string;
  readonly amount: string;
  readonly creditorName: string;
  readonly creditorIban: string;
  readonly remittance: string;
}
export interface PaymentState {
  readonly transactionStatus: string;
  readonly fundsAvailable?: boolean;
}
export type Begun = { readonly scaRedirect: string } | { readonly refused: readonly TppMessage[] };

/** The payment initiation side: the payment at the bank, the person's signature there, and then watching it. */
export class PaymentInitiation {
  constructor(
    private readonly bank: Bank,
    private readonly ownUrl: string,
  ) {}

  /** Creates the payment; the browser then goes to `scaRedirect` and comes back to one of our two addresses. */
  async begin(session: Session, wish: PaymentWish, psuIp: string): Promise<Begun> {
    const token = await this.bank.applicationToken('PSP_PI');
    const id = randomUUID();
    const psuId = session.connection?.psuId;
    const { status, body } = await this.bank.call<{
      readonly paymentId: string;
      readonly _links: { readonly scaRedirect?: { readonly href: string } };
    }>('POST', product, token, {
      json: {
        debtorAccount: { iban: wish.debtorIban },
        instructedAmount: { amount: wish.amount, currency: 'BGN' },
        creditorAccount: { iban: wish.creditorIban },
        creditorName: wish.creditorName,
        remittanceInformationUnstructured: wish.remittance,
        serviceLevel: 'NURG',
      },
      headers: {
        'idempotency-key': id,
        'psu-ip-address': psuIp,
        'tpp-redirect-uri': `${this.ownUrl}/payments/${id}/back`,
        'tpp-nok-redirect-uri': `${this.ownUrl}/payments/${id}/not-signed`,
        ...(psuId === undefined ? {} : { 'psu-id': encodeURI(psuId) }),
      },
    });
    if (status !== 201) return { refused: body.tppMessages ?? [] };
    const { href } = body._links.scaRedirect ?? {};
    // An account of several signers gets no such link: its signers are invited one by one, which this demo does not do.
    if (href === undefined) return { refused: [{ code: 'SEVERAL_SIGNERS' }] };
    session.payments.set(id, {
      paymentId: body.paymentId,
      amount: wish.amount,
      currency: 'BGN',
      creditorName: wish.creditorName,
    });
    return { scaRedirect: href };
  }

  /** Where it stands at the bank; undefined: the bank does not know it any more. */
  async state({ paymentId }: KnownPayment): Promise<PaymentState | undefined> {
    const token = await this.bank.applicationToken('PSP_PI');
    const { status, body } = await this.bank.call<PaymentState>(
      'GET',
      `${product}/${paymentId}/status`,
      token,
    );
    return status === 200 ? body : undefined;
  }
}
