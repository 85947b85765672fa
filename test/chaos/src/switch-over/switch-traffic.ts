import { euroExampleBodies } from '@xs2a/domain/payment/standards/euro-example-bodies';
import { domesticPath, domesticPayment, type Initiated, parseInitiated } from '@xs2a/test-support/requests';
import { type Answer, parseJson, type Send } from '@xs2a/tpp-client/http';
import { PsuBrowser } from '@xs2a/tpp-client/psu-browser';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { present, type TrafficRequest } from '../load/traffic-requests.js';
import type { ChaosWorld, Psu } from '../world.js';

/** One HTTP exchange of a client. Times are in ms, of one monotonic clock. */
export interface Exchange {
  readonly request: string;
  readonly from: number;
  readonly to: number;
  /** The status, or 0 if no response arrived. */
  readonly status: number;
  readonly retryAfter: string | null;
}

/** What became of an acknowledged payment, as its client knows. */
export interface ClientPayment {
  readonly path: string;
  readonly end: 'signed' | 'cancelled' | 'unsigned';
}

/** The product in which a client pays. It changes when the bank answers that the product ended. */
interface Product {
  readonly path: string;
  body(iban: string): Readonly<Record<string, unknown>>;
}
const inLeva: Product = { path: domesticPath, body: (iban) => domesticPayment(iban, '1.00') };
const inEuro: Product = {
  path: '/v1/payments/SEPA-Credit-Transfer',
  body: (iban) => ({ ...euroExampleBodies['SEPA-Credit-Transfer'], debtorAccount: { iban } }),
};

const pauseMs = 50;
const isServed = ({ status }: Answer): boolean => status >= 200 && status < 300;

/** Clients that pay, sign, cancel and read all the time, and record every exchange. */
export class SwitchTraffic {
  readonly exchanges: Exchange[] = [];
  readonly payments: ClientPayment[] = [];
  /** Answers that no client expects, whatever the time: one sentence each. */
  readonly surprises: string[] = [];
  private readonly stopping = new AbortController();
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly world: ChaosWorld,
    private readonly payers: readonly Psu[],
    private readonly requests: readonly TrafficRequest[],
  ) {}

  start(): void {
    const reads = this.requests.filter(
      ({ method, path }) => method === 'GET' && !path('').includes('payments'),
    );
    this.running = Promise.all([
      ...this.payers.map(async (psu) => this.pay(psu)),
      this.loop(async (number) => this.read(reads[number % reads.length])),
      this.loop(async (number) => this.read(reads[number % reads.length])),
      this.loop(async () => this.read(this.requests.find(({ service }) => service === 'auth'))),
      this.confirmFunds(),
    ]);
  }

  /** Resolves when every request has been answered. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private readonly send: Send = async (method, url, sending) => {
    const request = `${method} ${new URL(url).pathname.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')}`;
    const from = performance.now();
    const note = (status: number, retryAfter: string | null): void =>
      void this.exchanges.push({ request, from, to: performance.now(), status, retryAfter });
    try {
      const answer = await this.world.times.send(method, url, sending);
      note(answer.status, answer.headers.get('retry-after'));
      return answer;
    } catch (error) {
      note(0, null);
      throw error;
    }
  };

  private get tpp(): TppClient {
    const { baseUrl, credentials } = this.world.tpp.tpp;
    return new TppClient(baseUrl, credentials, this.send);
  }

  private async loop(work: (number: number) => Promise<void>): Promise<void> {
    const { signal } = this.stopping;
    for (let number = 0; !signal.aborted; number += 1) {
      await work(number).catch((error: unknown) => this.failed(error));
      await wait(pauseMs);
    }
  }

  /** An exchange that fails is recorded as such; the client continues. */
  private failed(error: unknown): void {
    const isRecorded = this.exchanges.some(
      ({ status, to }) => (status === 0 || status >= 500) && performance.now() - to < 5000,
    );
    if (!isRecorded) this.surprises.push(error instanceof Error ? error.message : String(error));
  }

  private async read(request: TrafficRequest | undefined): Promise<void> {
    if (request === undefined) throw new RangeError('there is no request to send');
    const { method, path, authorization, form } = request;
    const headers = { ...present, authorization };
    const answer = await this.tpp.call(method, path(''), undefined, {
      headers,
      ...(form === undefined ? {} : { form }),
    });
    if (answer.status < 500 && answer.status !== 200) this.surprise(method, path(''), answer);
  }

  private async confirmFunds(): Promise<void> {
    const asked = this.requests.find(({ service }) => service === 'funds-confirmation');
    let currency = 'BGN';
    await this.loop(async () => {
      if (asked === undefined) throw new RangeError('there is no request to send');
      const answer = await this.tpp.call('POST', asked.path(''), undefined, {
        headers: { authorization: asked.authorization },
        json: { instructedAmount: { currency, amount: '1.00' } },
      });
      if (isServed(answer) || answer.status >= 500) return;
      if (currency === 'EUR') this.surprise('POST', asked.path(''), answer);
      currency = 'EUR';
    });
  }

  /** Creates payments, and signs, cancels and leaves them in turn. */
  private async pay(psu: Psu): Promise<void> {
    let product = inLeva;
    let token = await this.tpp.applicationToken();
    await this.loop(async (number) => {
      const headers = { 'idempotency-key': randomUUID() };
      const json = product.body(psu.accounts[0]?.iban ?? '');
      const post = async (): Promise<Answer> => this.tpp.call('POST', product.path, token, { headers, json });
      const answer = await this.insist(post);
      if (answer === undefined) return;
      if (answer.status === 401) token = await this.tpp.applicationToken();
      else if (answer.status === 404 && product === inLeva) product = inEuro;
      else if (answer.status !== 201) this.surprise('POST', product.path, answer);
      else {
        const payment = parseInitiated(answer, product.path);
        const ends = [this.sign, this.cancel, async () => 'unsigned' as const];
        const end = await ends[number % ends.length]?.call(this, payment, token, psu);
        this.payments.push({ path: payment.path, end: end ?? 'unsigned' });
      }
    });
  }

  /** Repeats a request while the answer is 503, as a TPP does. Undefined once the traffic stops. */
  private async insist(ask: () => Promise<Answer>): Promise<Answer | undefined> {
    while (!this.stopping.signal.aborted) {
      const answer = await ask();
      if (answer.status !== 503) return answer;
      await wait(10 * pauseMs);
    }
    return undefined;
  }

  /** Signs on the bank's pages, once. */
  private async sign(
    { path, scaRedirect }: Initiated,
    token: string,
    psu: Psu,
  ): Promise<ClientPayment['end']> {
    const browser = new PsuBrowser({ 'accept-language': 'en' }, this.send);
    await walkAndApprove(browser, scaRedirect, psu).catch((error: unknown) => this.failed(error));
    const authorisation = `${path}/authorisations/${scaRedirect.split('/').at(-1) ?? ''}`;
    const { scaStatus } = parseJson(await this.tpp.call('GET', authorisation, token));
    return scaStatus === 'finalised' ? 'signed' : 'unsigned';
  }

  private async cancel({ path }: Initiated, token: string): Promise<ClientPayment['end']> {
    const answer = await this.tpp.call('DELETE', path, token);
    if (isServed(answer)) return 'cancelled';
    if (answer.status < 500) this.surprise('DELETE', path, answer);
    return 'unsigned';
  }

  private surprise(method: string, path: string, { status, text }: Answer): void {
    this.surprises.push(`${method} ${path} answered ${status}: ${text.slice(0, 200)}`);
  }
}
