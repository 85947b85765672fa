import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { metrics } from './metrics.js';

export interface Readiness {
  readonly ok: boolean;
  /** For each check: `ok`, `down`, or the message of a {@link NotReady}. */
  readonly checks: Readonly<Record<string, string>>;
  /** Warnings for operators: the service works, but is behind. */
  readonly degraded: readonly string[];
}

/** A failed check, with a reason that `/health/ready` may show, so it must contain no secrets and no data. */
export class NotReady extends Error {
  override readonly name = 'NotReady';
}

/** Reports whether this process can do its work. Each named check may take at most one second. */
export class Health {
  private readonly checks = new Map<string, () => Promise<void>>();
  private readonly degradations = new Map<string, () => string | undefined>();
  private draining = false;
  private starting: boolean;

  /** `starting`: if true, the service is not ready until {@link started} is called. */
  constructor({ starting = false }: { readonly starting?: boolean } = {}) {
    this.starting = starting;
  }

  /** The service is ready only while `check` resolves. */
  check(name: string, check: () => Promise<void>): void {
    this.checks.set(name, check);
  }

  /** Adds a warning that is reported along with readiness but does not affect it; undefined means that all is well. */
  degraded(name: string, reason: () => string | undefined): void {
    this.degradations.set(name, reason);
  }

  started(): void {
    this.starting = false;
  }

  /** Makes the service not ready from now on: the process is about to exit. */
  drain(): void {
    this.draining = true;
  }

  async ready(): Promise<Readiness> {
    const results = await Promise.all(
      [...this.checks].map(async ([name, check]): Promise<[string, string]> => [name, await within(check)]),
    );
    const degraded = [...this.degradations].flatMap(([name, reason]) => {
      const text = reason();
      return text === undefined ? [] : [`${name}: ${text}`];
    });
    return {
      ok: !this.starting && !this.draining && results.every(([, result]) => result === 'ok'),
      checks: Object.fromEntries(results),
      degraded,
    };
  }
}

const within = async (check: () => Promise<void>): Promise<string> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('down'), 1000);
  });
  const result = check().then(
    () => 'ok',
    (error: unknown) => (error instanceof NotReady ? error.message : 'down'),
  );
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
};

/** Serves /health/live, /health/ready and /metrics. With port 0, the system chooses the port. */
export const startHealthServer = async ({
  port,
  host,
  health,
}: {
  port: number;
  host: string;
  health: Health;
}): Promise<{ server: Server; port: number }> => {
  const server = createServer((request, response) => {
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
      response.end(JSON.stringify(body));
    };
    if (request.url === '/health/live') return send(200, { status: 'live' });
    if (request.url === '/health/ready') {
      return void health.ready().then((readiness) => send(readiness.ok ? 200 : 503, readiness));
    }
    if (request.url === '/metrics') {
      return void metrics.metrics().then(
        (text) => {
          response.writeHead(200, { 'content-type': metrics.contentType });
          return response.end(text);
        },
        () => send(500, { status: 'collecting the metrics failed' }),
      );
    }
    return send(404, { status: 'unknown path' });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return { server, port: (server.address() as AddressInfo).port };
};
