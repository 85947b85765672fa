import { type Answer, jsonOf } from '@xs2a/sandbox/http';
import { PsuBrowser } from '@xs2a/sandbox/psu-browser';
import { type PsuCredentials, walkAndApprove } from '@xs2a/sandbox/psu-walk';
import { type Sandbox, startSandbox } from '@xs2a/sandbox/sandbox';
import { serviceNames } from '@xs2a/sandbox/service-table';
import { TppClient } from '@xs2a/sandbox/tpp-client';
import { join, resolve } from 'node:path';
import type { Part } from './cpu-time.js';
import { realTime } from './real-time.js';

/** A person of the sandbox bank, made for this run. */
export interface BenchPsu extends PsuCredentials {
  readonly accounts: readonly { readonly iban: string; readonly currency: string }[];
}

/** A sandbox of the run's own, and a TPP and PSUs in it that act over real HTTP. */
export class BenchWorld {
  private constructor(
    readonly sandbox: Sandbox,
    readonly tpp: TppClient,
    readonly applicationToken: string,
  ) {}

  /**
   * `profileInto`: a folder where every service leaves a CPU profile when it ends; `nodeOptions`: further options of
   * every service's Node.
   */
  static async start(folder: string, profileInto?: string, nodeOptions = ''): Promise<BenchWorld> {
    const profiling = (service: string): string =>
      profileInto === undefined ? '' : `--cpu-prof --cpu-prof-dir=${join(resolve(profileInto), service)}`;
    const env = (service: string): Record<string, string> => ({
      NODE_OPTIONS: `${nodeOptions} ${profiling(service)}`.trim(),
    });
    const sandbox = await startSandbox({
      dataDir: join(folder, 'sandbox'),
      env: Object.fromEntries(serviceNames.map((service) => [service, env(service)])),
    });
    const tpp = new TppClient(sandbox.baseUrl, {
      clientId: 'sandbox-tpp',
      clientSecret: 'sandbox-tpp-secret',
      redirectUri: 'http://127.0.0.1:8090/callback',
    });
    return new BenchWorld(sandbox, tpp, await tpp.applicationToken());
  }

  get parts(): readonly Part[] {
    const { services, postgres, nats } = this.sandbox;
    return [
      ...serviceNames.map((name) => ({ name, pid: services[name].pid })),
      { name: 'postgres', pid: postgres.pid },
      { name: 'nats', pid: nats.pid },
    ];
  }

  get port(): number {
    return Number(new URL(this.sandbox.baseUrl).port);
  }

  /** Someone with so many current accounts in BGN. */
  async psu(accounts: number): Promise<BenchPsu> {
    const answer = await this.tpp.call('POST', '/sandbox/psus', this.applicationToken, {
      json: {
        accounts: Array.from({ length: accounts }, () => ({ currency: 'BGN', opening: '1000000.00' })),
      },
    });
    return must(201, answer);
  }

  /** The PSU authorises at the bank's pages; answers the access token that the TPP gets. */
  async userToken(psu: BenchPsu, scope: string, consentId?: string): Promise<string> {
    const request = this.tpp.authorizationRequest(scope, consentId);
    const browser = new PsuBrowser();
    await walkAndApprove(browser, request.url, psu);
    const tokens = await this.tpp.redeem(this.tpp.codeOf(browser.leftTo, request), request);
    return tokens.access_token;
  }

  /** A consent for everything on an account, authorised; answers its id and an access token. */
  async consent(
    psu: BenchPsu,
    iban: string,
  ): Promise<{ readonly consentId: string; readonly token: string }> {
    const reference = [{ iban }];
    const day = 24 * 60 * 60 * 1000;
    const answer = await this.tpp.call('POST', '/v1/consents', this.applicationToken, {
      headers: { 'PSU-ID': psu.psuId },
      json: {
        access: { accounts: reference, balances: reference, transactions: reference },
        recurringIndicator: true,
        validUntil: new Date(realTime.nowMs() + 30 * day).toISOString().slice(0, 10),
        frequencyPerDay: 4,
        combinedServiceIndicator: false,
      },
    });
    const { consentId } = must<{ consentId: string }>(201, answer);
    return { consentId, token: await this.userToken(psu, 'PSP_AI', consentId) };
  }
}

/** The body of an answer with this status; any other throws. */
export const must = <Body>(status: number, answer: Answer): Body => {
  if (answer.status !== status)
    throw new Error(`expected ${status}, got ${answer.status}: ${answer.text.slice(0, 300)}`);
  return jsonOf<Body>(answer);
};
