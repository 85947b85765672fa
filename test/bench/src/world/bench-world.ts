import { authorise, fixtureTpp, type FreshPsu, openPerson } from '@xs2a/test-support/sandbox-tpp';
import { type Sandbox, startSandbox } from '@xs2a/sandbox/sandbox';
import { serviceNames } from '@xs2a/sandbox/services/service-table';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { join, resolve } from 'node:path';
import type { Part } from '../load/cpu-time.js';
import type { Entrance } from '../load/load-plan.js';
import { proofMark } from '../load/proofs.js';
import { MintedTokens } from './minted-tokens.js';
import { openAccounts } from './open-accounts.js';
import { type ProductionEntrance, productionSettings, startProductionEntrance } from './production.js';

/**
 * `sandbox`: one PostgreSQL, one nats-server, no TLS. `production`: mutual TLS and DPoP, three nats-servers, a synchronous
 * standby, and the bank's own core over NATS.
 */
export const columns = ['sandbox', 'production'] as const;
export type Column = (typeof columns)[number];

export interface WorldOptions {
  readonly folder: string;
  readonly column: Column;
  /** A folder where every service leaves a CPU profile when it ends. */
  readonly profileInto?: string;
  /** The folder already has the service with its customers. */
  readonly isKept?: boolean;
  /** Additional Node options for every service. */
  readonly nodeOptions?: string;
}

/** A complete service for this run in one of the columns, its bank's {@link customers}, and a TPP. */
export class BenchWorld {
  private constructor(
    readonly sandbox: Sandbox,
    /** The TPP of the sandbox's fixtures, over plain HTTP, for preparations in the column `sandbox`. */
    readonly tpp: TppClient,
    readonly tokens: MintedTokens,
    /** The TPP of prepared requests. */
    readonly clientId: string,
    private readonly production: ProductionEntrance | undefined,
  ) {}

  static async start({
    folder,
    column,
    profileInto,
    isKept,
    nodeOptions = '',
  }: WorldOptions): Promise<BenchWorld> {
    const profiling = (service: string): string =>
      profileInto === undefined ? '' : `--cpu-prof --cpu-prof-dir=${join(resolve(profileInto), service)}`;
    const settings = column === 'production' ? await productionSettings(folder) : undefined;
    const env = (service: string): Record<string, string> => ({
      NODE_OPTIONS: `${nodeOptions} ${profiling(service)}`.trim(),
      ...(service === 'gateway' ? settings?.gateway : {}),
    });
    const sandbox = await startSandbox({
      dataDir: join(folder, 'sandbox'),
      env: Object.fromEntries(serviceNames.map((service) => [service, env(service)])),
      ...settings?.options,
    }).catch(async (error: unknown) => {
      await settings?.stop();
      throw error;
    });
    const tpp = fixtureTpp(sandbox.baseUrl);
    if (settings === undefined) {
      if (isKept !== true) await openAccounts(sandbox);
      const { clientId } = tpp.credentials;
      return new BenchWorld(sandbox, tpp, new MintedTokens(sandbox, { clientId }), clientId, undefined);
    }
    const entrance = await startProductionEntrance(folder, sandbox, settings);
    const { clientId, boundTo } = entrance;
    return new BenchWorld(sandbox, tpp, new MintedTokens(sandbox, { clientId, boundTo }), clientId, entrance);
  }

  async stop(): Promise<void> {
    await this.production?.stopProxy();
    await this.sandbox.stop();
    await this.production?.stop();
  }

  /** The process for each line of processor time. */
  get parts(): readonly Part[] {
    const { services, postgres, natsNodes } = this.sandbox;
    return [
      ...serviceNames.map((name) => ({ name, pid: services[name].pid })),
      { name: 'postgres', pid: postgres.pid },
      ...natsNodes.map(({ pid }, index) => ({ name: index === 0 ? 'nats' : `nats-${index + 1}`, pid })),
      ...(this.production?.parts ?? []),
    ];
  }

  get hasSandboxBank(): boolean {
    return this.production === undefined;
  }

  /** A description of the servers between the load generator and the gateway. */
  get conditions(): readonly string[] {
    return this.production === undefined ? [] : [this.production.conditions];
  }

  get entrance(): Entrance {
    return this.production?.entrance ?? { port: Number(new URL(this.sandbox.baseUrl).port) };
  }

  /** The headers of a prepared request with this token. */
  bearing(token: string): Readonly<Record<string, string>> {
    return this.production === undefined
      ? { Authorization: `Bearer ${token}` }
      : { Authorization: `DPoP ${token}`, DPoP: proofMark };
  }

  /** A person with this many current accounts in BGN at the sandbox bank. */
  async psu(accounts: number): Promise<FreshPsu> {
    return openPerson(this.tpp, ...Array.from({ length: accounts }, () => '1000000.00'));
  }

  /** The PSU authorises on the bank's pages. Returns the TPP's access token. */
  async userToken(psu: FreshPsu, scope: string, consentId?: string): Promise<string> {
    return (await authorise(this.tpp, psu, scope, consentId)).access_token;
  }
}
