import type { ProfileName } from '@xs2a/domain/profile/profile';
import type { StandbyWishes } from './processes/database-servers.js';
import type { Progress } from './processes/supervised.js';
import type { ServiceName } from './services/service-table.js';

export interface SandboxOptions {
  readonly dataDir: string;
  /** The public port; if absent or 0, any free port is used. */
  readonly port?: number;
  /** The name of a file in deploy/profiles. Default: `sandbox`. */
  readonly profile?: ProfileName;
  /** A streaming PostgreSQL standby that can be promoted. Requires an empty data folder. Default: none. */
  readonly standby?: StandbyWishes;
  /** The number of nats-servers: one (default), or a cluster of three that keeps three replicas of each stream. */
  readonly natsNodes?: 1 | 3;
  /** JetStream's `max_file_store`, e.g. `8MB`. Default: the default of `startNats`. */
  readonly natsFileStore?: string;
  /** Size limits of the event streams, in megabytes. */
  readonly streamMegabytes?: { readonly payments: number; readonly consents: number };
  /** Restarts processes that exit by themselves. Default: true; tests that restart processes set it to false. */
  readonly restart?: boolean;
  /** Services that run as two processes, each restarted when it exits. Default: none. */
  readonly twice?: readonly ServiceName[];
  /**
   * Returns the checkout whose build a process is started from, so that two releases can run together. Called at
   * each start with the process name, such as `payments` or `payments-2`. Default: this checkout. The migrations
   * always come from this checkout.
   */
  readonly checkoutFor?: (processName: string) => string | undefined;
  /** Additional variables for some services. */
  readonly env?: Partial<Record<ServiceName, Readonly<Record<string, string>>>>;
  readonly logLevel?: string;
  /**
   * True if stack traces name lines of the TypeScript sources, as in a deployment. Default: true. The tests set false,
   * because reading the source maps takes a fifth of the CPU time of a start.
   */
  readonly sourceMaps?: boolean;
  /** Also starts the demo TPP, a third party that uses this bank. Default: false. */
  readonly demoTpp?: boolean;
  /** The demo TPP's port. Default: the port that the fixtures expect, or a free port. */
  readonly demoPort?: number;
  /** The NATS server on which a bank's own core system answers. Default: the sandbox bank is the core bank. */
  readonly coreBank?: string;
  /**
   * Also opens the pages of the operators' console, with an identity provider for the staff: at this port if it is
   * free at the first start, otherwise at any free port. Default: no pages.
   */
  readonly console?: { readonly port?: number };
  /** Also starts Prometheus, which reads the metrics of all services. Default: false. */
  readonly observability?: boolean;
  readonly onProgress?: Progress;
  /** Aborts the start: processes that are already running are stopped, and the start fails. */
  readonly signal?: AbortSignal;
}
