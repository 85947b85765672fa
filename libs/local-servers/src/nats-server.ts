import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { startChild, readTail, untilReady } from './child.js';
import { freePort, isPortFree } from './free-port.js';
import { deadClients } from '@xs2a/nats/permissions/server-configuration';

export interface NatsOptions {
  /** The folder for JetStream's files and the generated configuration. */
  readonly dataDir: string;
  /** If absent, a free port is used. */
  readonly port?: number;
  /** The server's log file. By default, the path of the data folder with `.log` appended. */
  readonly logFile?: string;
  /** The `accounts { … }` block. If absent, there are no restrictions. */
  readonly accounts?: string;
  /**
   * PEM files. If absent, connections are not encrypted. With `caFile`, routes are encrypted too, and nodes must
   * present a certificate from that authority.
   */
  readonly tls?: { readonly certFile: string; readonly keyFile: string; readonly caFile?: string };
  /** JetStream's `max_file_store`, e.g. `8MB`. Default: {@link defaultFileStore}. */
  readonly maxFileStore?: string;
  /** If absent, the server runs on its own. */
  readonly cluster?: NatsClusterPlace;
}

/** A server's place in a cluster: its permanent name, its route port, and the route ports of all nodes. */
interface NatsClusterPlace {
  readonly name: string;
  readonly port: number;
  readonly routes: readonly number[];
  /**
   * The password that the nodes use between themselves; must be safe in a URL. If absent, any client that connects
   * to the route port is accepted as a node.
   */
  readonly password?: string;
}
export interface NatsServer {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Settles once the server has ended, for whatever reason. */
  readonly exited: Promise<void>;
  stop(): Promise<void>;
  /** Sends SIGKILL, as in a crash. */
  kill(): void;
}

export const defaultFileStore = '10GB';

/**
 * Returns the first nats-server program that can be run, from the PATH or from the usual folders; undefined if
 * there is none.
 */
export const natsProgram = (): string | undefined =>
  [
    'nats-server',
    '/usr/sbin/nats-server',
    '/usr/local/bin/nats-server',
    '/opt/homebrew/bin/nats-server',
  ].find((program) => spawnSync(program, ['--version']).status === 0);

/**
 * Returns the configuration for nats-server 2.9.10 or newer. An older server would silently ignore settings that
 * it does not know.
 */
const configuration = (
  name: string,
  dataDir: string,
  port: number,
  {
    accounts = '',
    tls,
    cluster,
    maxFileStore = defaultFileStore,
  }: Pick<NatsOptions, 'accounts' | 'tls' | 'cluster' | 'maxFileStore'>,
): string => `# written at each start
server_name: ${name}
host: 127.0.0.1
port: ${port}
# a bulk order is at most 1 MiB of JSON, and travels inside an envelope
max_payload: 2MB
max_connections: 500
write_deadline: "10s"
${deadClients}
jetstream {
  store_dir: ${JSON.stringify(join(dataDir, 'jetstream'))}
  max_memory_store: 256MB
  max_file_store: ${maxFileStore}
}
${cluster === undefined ? '' : clusterBlock(cluster, tls)}
${tls === undefined ? '' : `tls { ${tlsFiles(tls)} }`}
${accounts}
`;

const tlsFiles = ({ certFile, keyFile }: NonNullable<NatsOptions['tls']>): string =>
  `cert_file: ${JSON.stringify(certFile)}, key_file: ${JSON.stringify(keyFile)}`;

const routeTls = (tls: NatsOptions['tls']): string =>
  tls?.caFile === undefined
    ? ''
    : `tls { ${tlsFiles(tls)}, ca_file: ${JSON.stringify(tls.caFile)}, verify: true }`;

const clusterBlock = ({ port, routes, password }: NatsClusterPlace, tls: NatsOptions['tls']): string => {
  const login = password === undefined ? '' : `node:${password}@`;
  return `cluster {
  name: xs2a
  listen: "127.0.0.1:${port}"
  ${password === undefined ? '' : `authorization { user: node, password: ${JSON.stringify(password)} }`}
  ${routeTls(tls)}
  routes: [${routes.map((route) => `"nats-route://${login}127.0.0.1:${route}"`).join(', ')}]
}`;
};

/**
 * True once the server accepts clients, that is, once it sends an INFO message with its name. JetStream is up by
 * then.
 */
const greets = (port: number, name: string): Promise<boolean> =>
  new Promise((answer) => {
    const socket = connect(port, '127.0.0.1');
    const done = (ready: boolean): void => {
      socket.destroy();
      answer(ready);
    };
    socket.once('data', (data) => done(data.includes(`"server_name":"${name}"`)));
    socket.once('error', () => done(false));
    socket.setTimeout(1000, () => done(false));
  });

/**
 * Starts nats-server with JetStream on the loopback interface. If that fails, the error contains the last lines of
 * its log.
 */
export const startNats = async (options: NatsOptions): Promise<NatsServer> => {
  const dataDir = resolve(options.dataDir);
  const program = natsProgram();
  if (program === undefined) throw new Error('nats-server is not installed: apt-get install -y nats-server');
  mkdirSync(dataDir, { recursive: true });
  const port = options.port ?? (await freePort());
  if (!(await isPortFree(port))) throw new Error(`nats-server cannot start: port ${port} is taken`);
  // In a cluster, the name is the server's identity across restarts. A single server gets a new name, so that
  // its greeting can be recognised.
  const name = options.cluster?.name ?? `local-${randomUUID()}`;
  const logFile = options.logFile ?? `${dataDir}.log`;
  const configFile = join(dataDir, 'nats-server.conf');
  writeFileSync(configFile, configuration(name, dataDir, port, options), { mode: 0o600 });
  const child = startChild({ command: program, args: ['-c', configFile], logFile });
  const outcome = await untilReady(child, 15_000, () => greets(port, name));
  if (outcome !== 'ready') {
    await child.stop('SIGKILL', 0);
    throw new Error(
      `nats-server did not start on port ${port} with the data in ${dataDir}:\n${readTail(logFile)}`,
    );
  }
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    pid: child.pid,
    exited: child.exited,
    stop: () => child.stop('SIGTERM', 5000),
    kill: () => child.kill('SIGKILL'),
  };
};
