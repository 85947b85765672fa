import { parseJson, type Send, send } from '@xs2a/tpp-client/http';
import { PsuBrowser } from '@xs2a/tpp-client/psu-browser';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { runLoad } from '@xs2a/test-support/load';
import {
  authorise,
  expectStatus,
  fixtureTpp,
  type FreshPsu,
  openPerson,
} from '@xs2a/test-support/sandbox-tpp';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { consentBody, dayFrom, domesticPayment, initiate, present } from '@xs2a/test-support/requests';

/** A payment that a client initiated, and the last response that the client got for it. */
export interface PaidFor {
  readonly paymentId: string;
  readonly path: string;
  readonly cancelled: boolean;
}

/**
 * TPPs and customers who pay, cancel, give consents and read accounts, each sending one request at a time. They
 * never retry, so any unexpected response is a failure.
 */
export class UpgradeLoad {
  readonly failures: string[] = [];
  readonly payments: PaidFor[] = [];
  private readonly stopping = new AbortController();
  private running: Promise<unknown> = Promise.resolve();
  private requests = 0;
  private readonly people: FreshPsu[] = [];
  private readonly tpp: TppClient;

  private constructor(baseUrl: string) {
    this.tpp = fixtureTpp(baseUrl, 'sandbox-tpp', this.sender);
  }

  static async prepare(baseUrl: string, payers: number): Promise<UpgradeLoad> {
    const load = new UpgradeLoad(baseUrl);
    for (let index = 0; index <= payers; index += 1)
      load.people.push(await openPerson(load.tpp, '100000.00'));
    return load;
  }

  /** The number of requests sent, including requests for pages. */
  get sent(): number {
    return this.requests;
  }

  start(): void {
    const [reader, ...payers] = this.people;
    if (reader === undefined) throw new RangeError('nobody pays');
    const load = async (what: string, round: (number: number) => Promise<void>): Promise<void> =>
      runLoad(round, { stop: this.stopping.signal, onError: (error) => this.fail(what, error) });
    this.running = Promise.all([
      load('read', async () => this.read(reader)),
      ...payers.map(async (payer) => load('pay', async (number) => this.pay(payer, number % 4 === 3))),
    ]);
  }

  /** Waits until every client has finished its current work. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Moves the clock until all signed payments are settled, then reads each of them. */
  async settle(seconds: number): Promise<void> {
    const token = await this.tpp.applicationToken('PSP_PI');
    expectStatus(await this.tpp.call('POST', '/sandbox/clock', token, { json: { advance: 'PT5M' } }), 200);
    const end = performance.now() + seconds * 1000;
    for (const { path, cancelled } of this.payments) {
      const wanted = cancelled ? 'CANC' : 'ACSC';
      let seen = '';
      while (seen !== wanted && performance.now() < end)
        seen = parseJson<{ transactionStatus: string }>(
          await this.tpp.call('GET', `${path}/status`, token),
        ).transactionStatus;
      if (seen !== wanted) this.failures.push(`${path} is ${seen}, not ${wanted}`);
      const { status, text } = await this.tpp.call('GET', path, token);
      if (status !== 200) this.failures.push(`GET ${path}: ${status} ${text.slice(0, 300)}`);
    }
  }

  /**
   * Opens a new connection for each request. A draining server may close a keep-alive connection while the next
   * request is on its way, and a client would have to retry that request (RFC 9112, 9.3.1). These clients never
   * retry.
   */
  private readonly sender: Send = async (method, url, sending) => {
    this.requests += 1;
    return send(method, url, { ...sending, headers: { ...sending?.headers, connection: 'close' } });
  };

  private fail(what: string, error: unknown): void {
    const cause = error instanceof Error && error.cause !== undefined ? `: ${String(error.cause)}` : '';
    this.failures.push(`${what}: ${String(error)}${cause}`);
  }

  private async pay({ psuId, password, accounts }: FreshPsu, cancels: boolean): Promise<void> {
    const token = await this.tpp.applicationToken('PSP_PI');
    const json = domesticPayment(accounts[0]?.iban ?? '', '1.00');
    const { paymentId, path, scaRedirect } = await initiate(this.tpp, token, json);
    const browser = new PsuBrowser({ 'accept-language': 'en' }, this.sender);
    const last = await walkAndApprove(browser, scaRedirect, { psuId, password });
    if (browser.leftTo === undefined && last.status >= 400)
      throw new Error(`the pages ended with ${last.status}: ${last.text.slice(0, 200)}`);
    const known = async (): Promise<string> =>
      parseJson<{ transactionStatus: string }>(
        expectStatus(await this.tpp.call('GET', `${path}/status`, token), 200),
      ).transactionStatus;
    const signed = await known();
    if (!['ACCP', 'ACSP', 'ACSC'].includes(signed)) throw new Error(`${path} was signed but is ${signed}`);
    if (cancels) expectStatus(await this.tpp.call('DELETE', path, token), 204);
    expectStatus(await this.tpp.call('GET', path, token), 200);
    this.payments.push({ paymentId, path, cancelled: cancels });
  }

  private async read(reader: FreshPsu): Promise<void> {
    const application = await this.tpp.applicationToken('PSP_AI');
    const clock = expectStatus(await this.tpp.call('GET', '/sandbox/clock', application), 200);
    const validUntil = dayFrom(parseJson<{ now: string }>(clock).now, 30);
    const asked = await this.tpp.call('POST', '/v1/consents', application, {
      json: consentBody([reader.accounts[0]?.iban ?? ''], validUntil),
      headers: { 'psu-id': reader.psuId },
    });
    const { consentId } = parseJson<{ consentId: string }>(expectStatus(asked, 201));
    const browser = new PsuBrowser({ 'accept-language': 'en' }, this.sender);
    const { access_token: token } = await authorise(this.tpp, reader, 'PSP_AI', consentId, browser);
    const listed = expectStatus(await this.tpp.call('GET', '/v1/accounts', token, present), 200);
    for (const { resourceId } of parseJson<{ accounts: { resourceId: string }[] }>(listed).accounts) {
      const account = `/v1/accounts/${resourceId}`;
      expectStatus(await this.tpp.call('GET', `${account}/balances`, token, present), 200);
      const entries = `${account}/transactions?bookingStatus=both`;
      expectStatus(await this.tpp.call('GET', entries, token, present), 200);
    }
    expectStatus(await this.tpp.call('GET', `/v1/consents/${consentId}/status`, token), 200);
  }
}
