import type { ProfileName } from '@xs2a/domain/profile/profile';
import { type PostgresStandby, startStandby } from '@xs2a/local-servers/postgres-standby';
import { type Sandbox, startSandbox } from '@xs2a/sandbox/sandbox';
import { homeCurrencyOf } from '@xs2a/sandbox/sandbox-profiles';
import { ServiceCalls } from '@xs2a/sandbox/services/service-calls';
import { serviceNames } from '@xs2a/sandbox/services/service-table';
import { join, resolve } from 'node:path';
import { Pool, type QueryResultRow } from 'pg';
import type { Part } from '../load/cpu-time.js';
import type { Entrance } from '../load/load-plan.js';
import { proofMark } from '../load/proofs.js';
import { type Binding, MintedTokens } from './minted-tokens.js';
import { openAccounts } from './open-accounts.js';
import { type ProductionEntrance, productionSettings, startProductionEntrance } from './production.js';

/**
 * `sandbox`: one PostgreSQL, one nats-server, no TLS. `production`: mutual TLS and DPoP, three nats-servers, a
 * synchronous standby, and a custom core bank over NATS.
 */
export const columns = ['sandbox', 'production'] as const;
export type Column = (typeof columns)[number];

export interface WorldOptions {
  readonly folder: string;
  readonly column: Column;
  /** The bank's profile. Default: `sandbox`. */
  readonly profile?: ProfileName;
  /** The folder in which every service writes a CPU profile when it exits. */
  readonly profileInto?: string | undefined;
  /** Whether the folder already contains the service with its customers. */
  readonly isKept?: boolean;
  /** Whether PostgreSQL commits only when a standby has the commit. Always so in the column `production`. */
  readonly synchronousStandby?: boolean;
  /** Additional Node options for every service. */
  readonly nodeOptions?: string;
  /** The collector to which every service sends the spans of all traces. By default, tracing is off. */
  readonly collectorUrl?: string;
  /** One in this many successful calls has a row for operators. Default: 10, as outside the sandbox. */
  readonly callsOneIn?: number;
}

/** A complete service for one run in one of the columns, with the {@link customers} of its bank and a TPP. */
export class BenchWorld {
  /** Calls services over NATS, bypassing the public entry point. */
  readonly calls: ServiceCalls;
  /** Connections as PostgreSQL's superuser. */
  readonly database: Pool;
  readonly tokens: MintedTokens;
  /** The TPP that sends the prepared requests. */
  readonly clientId: string;

  private constructor(
    readonly sandbox: Sandbox,
    private readonly production?: ProductionEntrance,
    private readonly standby?: PostgresStandby,
  ) {
    this.calls = new ServiceCalls(sandbox, 'bench');
    this.database = new Pool({ connectionString: sandbox.databaseUrl('postgres'), max: 4 });
    // Some rows restart PostgreSQL, which closes idle connections.
    this.database.on('error', () => undefined);
    this.clientId = production?.clientId ?? 'sandbox-tpp';
    this.tokens = new MintedTokens(sandbox, this.database, {
      clientId: this.clientId,
      bindings: production?.bindings,
    });
  }

  static async start({
    folder,
    column,
    profile = 'sandbox',
    profileInto,
    isKept = false,
    nodeOptions = '',
    collectorUrl,
    callsOneIn = 10,
    synchronousStandby = false,
  }: WorldOptions): Promise<BenchWorld> {
    const profiling = (service: string): string =>
      profileInto === undefined ? '' : `--cpu-prof --cpu-prof-dir=${join(resolve(profileInto), service)}`;
    const currency = homeCurrencyOf(profile);
    const settings = column === 'production' ? await productionSettings(folder, currency) : undefined;
    const env = (service: string): Record<string, string> => ({
      NODE_OPTIONS: `${nodeOptions} ${profiling(service)}`.trim(),
      ...(collectorUrl === undefined ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl }),
      ...(service === 'gateway' ? { CALL_SUCCESSES_ONE_IN: String(callsOneIn), ...settings?.gateway } : {}),
    });
    const sandbox = await startSandbox({
      dataDir: join(folder, 'sandbox'),
      profile,
      env: Object.fromEntries(serviceNames.map((service) => [service, env(service)])),
      ...settings?.options,
    }).catch(async (error: unknown) => {
      await settings?.stop();
      throw error;
    });
    try {
      if (settings !== undefined)
        return new BenchWorld(sandbox, await startProductionEntrance(folder, sandbox, settings));
      const standby = synchronousStandby
        ? await startStandby(sandbox.postgres.current, {
            dataDir: join(folder, 'standby'),
            synchronous: true,
          })
        : undefined;
      const world = new BenchWorld(sandbox, undefined, standby);
      if (!isKept) await openAccounts(world.database, currency);
      return world;
    } catch (error) {
      await sandbox.stop();
      await settings?.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.calls.close();
    await this.database.end();
    await this.production?.stopProxy();
    await this.sandbox.stop();
    await this.standby?.stop();
    await this.production?.stop();
  }

  /** The processes whose processor time is shown, one per line. */
  get parts(): readonly Part[] {
    const { services, postgres, natsNodes } = this.sandbox;
    return [
      ...serviceNames.map((name) => ({ name, pid: services[name].pid })),
      { name: 'postgres', pid: postgres.pid },
      ...natsNodes.map(({ pid }, index) => ({ name: index === 0 ? 'nats' : `nats-${index + 1}`, pid })),
      ...(this.standby === undefined ? [] : [{ name: 'standby', pid: this.standby.pid }]),
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

  /** Returns the headers for a prepared request with the given token, which in production is bound. */
  bearing(token: string, binding: Binding = 'key'): Readonly<Record<string, string>> {
    return this.production === undefined || binding === 'certificate'
      ? { Authorization: `Bearer ${token}` }
      : { Authorization: `DPoP ${token}`, DPoP: proofMark };
  }

  async query<Result extends QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<Result[]> {
    return (await this.database.query<Result>(text, [...values])).rows;
  }

  /** Returns the number in the column `count` of the only row, or 0 if there is no row. */
  async count(text: string, values: readonly unknown[] = []): Promise<number> {
    const [row] = await this.query<{ count: string }>(text, values);
    return Number(row?.count ?? 0);
  }
}
