import { parseJson } from '@xs2a/tpp-client/http';
import { PsuBrowser } from '@xs2a/tpp-client/psu-browser';
import { type PsuCredentials, walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { TppClient } from '@xs2a/tpp-client/tpp-client';

const product = '/v1/payments/domestic-credit-transfer-BGN';
/** Another bank's account, from the fixtures. */
export const creditorIban = 'BG26RZBB91551023456789';

interface Initiated {
  readonly paymentId: string;
  readonly _links: { readonly scaRedirect: { readonly href: string } };
}

/** A TPP with a customer of its own, who has 100.00 BGN. */
export class Customer {
  private constructor(
    private readonly tpp: TppClient,
    private readonly token: string,
    readonly psu: PsuCredentials,
    readonly iban: string,
  ) {}

  static async of(baseUrl: string): Promise<Customer> {
    const redirectUri = 'http://127.0.0.1:8090/callback';
    const credentials = { clientId: 'sandbox-tpp', clientSecret: 'sandbox-tpp-secret', redirectUri };
    const tpp = new TppClient(baseUrl, credentials);
    const token = await tpp.applicationToken();
    const answer = await tpp.call('POST', '/sandbox/psus', token, {
      json: { name: 'Тест Тестов', accounts: [{ currency: 'BGN', opening: '100.00' }] },
    });
    if (answer.status !== 201) throw new Error(`POST /sandbox/psus answered ${answer.status}`);
    const psu = parseJson<PsuCredentials & { accounts: { iban: string }[] }>(answer);
    return new Customer(tpp, token, psu, psu.accounts[0]?.iban ?? '');
  }

  /** The body of a payment of 12.50 BGN; `more`: further fields. */
  body(more: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
    return {
      endToEndIdentification: 'E2E-1',
      debtorAccount: { iban: this.iban },
      instructedAmount: { currency: 'BGN', amount: '12.50' },
      creditorAccount: { iban: creditorIban },
      creditorName: 'Petar Ivanov',
      remittanceInformationUnstructured: 'Invoice 1',
      serviceLevel: 'NURG',
      ...more,
    };
  }

  /** Initiates a payment of 12.50 BGN; `more`: further fields of its body. */
  async initiate(more: Readonly<Record<string, unknown>> = {}): Promise<Initiated> {
    const answer = await this.tpp.call('POST', product, this.token, { json: this.body(more) });
    if (answer.status !== 201) throw new Error(`POST payment answered ${answer.status}: ${answer.text}`);
    return parseJson<Initiated>(answer);
  }

  /** Initiates a payment and signs it on the bank's pages; answers its id. */
  async pay(): Promise<string> {
    const { paymentId, _links } = await this.initiate();
    await walkAndApprove(new PsuBrowser({ 'accept-language': 'en' }), _links.scaRedirect.href, this.psu);
    return paymentId;
  }

  async cancel(paymentId: string): Promise<number> {
    return (await this.tpp.call('DELETE', `${product}/${paymentId}`, this.token)).status;
  }

  async readStatus(paymentId: string): Promise<string> {
    const answer = await this.tpp.call('GET', `${product}/${paymentId}/status`, this.token);
    return parseJson<{ transactionStatus: string }>(answer).transactionStatus;
  }

  /** Moves the sandbox clock; what falls due is done when this resolves. */
  async advance(duration: string): Promise<void> {
    const answer = await this.tpp.call('POST', '/sandbox/clock', this.token, { json: { advance: duration } });
    if (answer.status !== 200) throw new Error(`POST /sandbox/clock answered ${answer.status}`);
  }
}
