import { PsuBrowser } from '@xs2a/tpp-client/psu-browser';
import type { SandboxOptions } from '@xs2a/sandbox/sandbox-options';
import { type Sandbox, startSandbox } from '@xs2a/sandbox/sandbox';
import type { ProfileName } from '@xs2a/domain/profile/profile';
import { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validated } from './contract/openapi.js';
import { testedProfile } from './home.js';
import {
  bodyOf,
  fixtureTpp,
  type FixtureTpp,
  type FreshPsu,
  openPersonIn,
  registerTpp,
} from './sandbox-tpp.js';

export interface FreshCorporate {
  readonly corporateId: string;
  readonly iban: string;
  readonly signers: readonly FreshPsu[];
}

/** Returns this process's item from a list with one item per lane. */
const inLane = (list: string | undefined): string | undefined =>
  list?.split(' ')[Number(process.env.JEST_WORKER_ID ?? 1) - 1];

/**
 * A sandbox to test against: either a new one, which is removed afterwards, or the one that all spec files in a
 * lane share.
 */
export class World {
  /** The bank's home currency, in which {@link person} and {@link corporate} have their accounts. */
  private readonly currency: 'BGN' | 'EUR';

  private constructor(
    readonly baseUrl: string,
    /** The sandbox's data folder, from which the operator command finds the sandbox. */
    readonly dataDir: string,
    profile: ProfileName,
    private readonly own?: { readonly sandbox: Sandbox },
  ) {
    this.currency = profile.startsWith('bg-euro') ? 'EUR' : 'BGN';
  }

  /**
   * Starts a sandbox for this spec file only. `profile`: the sandbox bank's rules; `demoTpp`: also runs the demo
   * TPP.
   */
  static async start(
    env?: Readonly<Record<string, Readonly<Record<string, string>>>>,
    profile: ProfileName = testedProfile,
    demoTpp = false,
  ): Promise<World> {
    return World.around({ profile, demoTpp, ...(env === undefined ? {} : { env }) });
  }

  /**
   * Returns the sandbox of a bank in euro that the spec files in a lane share, under the same conditions as
   * {@link ofLane}.
   */
  static async inEuro(): Promise<World> {
    return World.ofLane('bg-euro');
  }

  /** Starts a sandbox with the given options for this spec file only. */
  static async around(options: Omit<SandboxOptions, 'dataDir' | 'port'>): Promise<World> {
    const folder = mkdtempSync(join(tmpdir(), 'xs2a-e2e-'));
    const sandbox = await startSandbox({
      profile: testedProfile,
      sourceMaps: false,
      ...options,
      dataDir: folder,
      port: 0,
    });
    return new World(sandbox.baseUrl, folder, sandbox.profile, { sandbox });
  }

  /**
   * Returns the lane's sandbox, which earlier files have used and whose clock they have moved. It is meant for
   * specs that use only the public interface and the operator command, with PSUs that they create. Without lanes,
   * starts a sandbox for this file only.
   */
  static async ofLane(profile: ProfileName = testedProfile): Promise<World> {
    const [url, dataDir] = [inLane(process.env.XS2A_LANE_URLS), inLane(process.env.XS2A_LANE_FOLDERS)];
    return url === undefined || dataDir === undefined || process.env.XS2A_LANE_PROFILE !== profile
      ? World.around({ profile })
      : new World(url, dataDir, profile);
  }

  /** The processes and data of the sandbox. Not available for the sandbox of a lane. */
  get sandbox(): Sandbox {
    if (this.own === undefined)
      throw new Error('the sandbox of a lane is reachable only through its public address');
    return this.own.sandbox;
  }

  async stop(): Promise<void> {
    if (this.own === undefined) return;
    await this.own.sandbox.stop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /**
   * Returns a client for one of the TPPs in the fixtures. Its responses are validated against the published
   * OpenAPI document.
   */
  tpp(name: FixtureTpp = 'sandbox-tpp'): TppClient {
    return validated(fixtureTpp(this.baseUrl, name));
  }

  /** Registers a new TPP without resources. Its responses are validated like those of {@link tpp}. */
  async newTpp(roles: readonly ('PSP_AI' | 'PSP_PI' | 'PSP_IC')[]): Promise<TppClient> {
    const credentials = await registerTpp(this.baseUrl, 'New TPP', 'https://tpp.example/callback', roles);
    return validated(new TppClient(this.baseUrl, credentials));
  }

  browser(language = 'en'): PsuBrowser {
    return new PsuBrowser({ 'accept-language': language });
  }

  /** Creates a new person whose accounts have the given opening balances in the home currency. */
  async person(...openings: readonly string[]): Promise<FreshPsu> {
    return openPersonIn(this.tpp(), this.currency, ...(openings.length === 0 ? ['1000.00'] : openings));
  }

  /** Creates a new company with one account, for which the given number of its signers must sign. */
  async corporate(persons: number, signaturesRequired: number): Promise<FreshCorporate> {
    const tpp = this.tpp();
    const corporateId = `corporate-${randomUUID().slice(0, 13)}`;
    const signers: FreshPsu[] = [];
    for (let person = 0; person < persons; person += 1) {
      const opened =
        person === 0
          ? { accounts: [{ currency: this.currency, opening: '1000.00' }], signaturesRequired }
          : {};
      const answer = await tpp.call('POST', '/sandbox/psus', await tpp.applicationToken(), {
        json: { name: `Подписващ ${person + 1}`, corporateId, ...opened },
      });
      signers.push(bodyOf<FreshPsu>(answer, 201));
    }
    return { corporateId, iban: signers[0]?.accounts[0]?.iban ?? '', signers };
  }

  /** Kills a process with kill -9. The sandbox restarts the process, as an orchestrator would. */
  kill(victim: string): void {
    const { services, postgres, nats } = this.sandbox;
    const target = { ...services, postgres, 'nats-server': nats }[victim];
    if (target === undefined) throw new Error(`nothing is called ${victim}`);
    target.kill('SIGKILL');
  }

  /**
   * Moves the sandbox clock and resolves when due work is done. If a call takes as long as the clock's own maximum
   * wait (five seconds), work may be left, so the clock is moved by one more millisecond until a call takes less.
   */
  async advance(duration: string): Promise<string> {
    const begun = performance.now();
    const now = await this.moveClock(duration);
    const isCaughtUp = performance.now() - begun < 4000;
    return isCaughtUp ? now : this.advance('PT0.001S');
  }

  private async moveClock(duration: string): Promise<string> {
    const tpp = this.tpp();
    const answer = await tpp.call('POST', '/sandbox/clock', await tpp.applicationToken(), {
      json: { advance: duration },
    });
    return bodyOf<{ now: string }>(answer, 200).now;
  }
}
