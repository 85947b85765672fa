import {
  domesticPath,
  domesticPayment,
  initiate,
  type Initiated,
  readStatus,
} from '@xs2a/test-support/requests';
import { expectStatus, fixtureTpp, type FreshPsu, openPerson } from '@xs2a/test-support/sandbox-tpp';
import { PsuBrowser } from '@xs2a/tpp-client/psu-browser';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';

/** A TPP with its own customer, who has 100.00 BGN. */
export class Customer {
  private constructor(
    private readonly tpp: TppClient,
    private readonly token: string,
    readonly psu: FreshPsu,
  ) {}

  static async of(baseUrl: string): Promise<Customer> {
    const tpp = fixtureTpp(baseUrl);
    return new Customer(tpp, await tpp.applicationToken(), await openPerson(tpp, '100.00'));
  }

  get iban(): string {
    return this.psu.accounts[0]?.iban ?? '';
  }

  /** The body of a payment of 12.50 BGN; `more` adds fields. */
  body(more: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
    return domesticPayment(this.iban, '12.50', more);
  }

  /** Initiates a payment of 12.50 BGN; `more` adds fields to its body. */
  async initiate(more: Readonly<Record<string, unknown>> = {}): Promise<Initiated> {
    return initiate(this.tpp, this.token, this.body(more));
  }

  /** Initiates a payment and signs it on the bank's pages; returns its id. */
  async pay(): Promise<string> {
    const { paymentId, scaRedirect } = await this.initiate();
    await walkAndApprove(new PsuBrowser({ 'accept-language': 'en' }), scaRedirect, this.psu);
    return paymentId;
  }

  async cancel(paymentId: string): Promise<number> {
    return (await this.tpp.call('DELETE', `${domesticPath}/${paymentId}`, this.token)).status;
  }

  /** Reads a payment's status; undefined if the bank does not know the payment. */
  async readStatus(paymentId: string): Promise<string | undefined> {
    const { transactionStatus } = await readStatus(this.tpp, this.token, `${domesticPath}/${paymentId}`);
    return typeof transactionStatus === 'string' ? transactionStatus : undefined;
  }

  /** Moves the sandbox clock; all work that becomes due is done when this resolves. */
  async advance(duration: string): Promise<void> {
    const json = { advance: duration };
    expectStatus(await this.tpp.call('POST', '/sandbox/clock', this.token, { json }), 200);
  }
}
