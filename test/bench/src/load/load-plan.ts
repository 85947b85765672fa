import type { ProofKey } from './proofs.js';

/** A placeholder in a prepared request, replaced by a new UUID each time it is sent. */
export const uuidMark = '{{uuid}}';

/** The client certificate and key for a connection, in PEM. */
export interface ClientTls {
  readonly ca: string;
  readonly servername: string;
  readonly cert: string;
  readonly key: string;
}

/** The address to which requests are sent. */
export interface Entrance {
  /** The port on 127.0.0.1, the only host that the generator knows. */
  readonly port: number;
  readonly tls?: ClientTls;
  /** Signs the proofs required by prepared requests. */
  readonly proofs?: ProofKey;
}

/** The load generator's task. */
export interface LoadPlan extends Entrance {
  readonly connections: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
  /** Complete requests, sent in order, distributed across all connections. */
  readonly requests: readonly string[];
  /** Whether each request may be sent only once. If so, the run ends early when all requests are used up. */
  readonly once?: boolean;
  /** The status that every response must have, or that of each prepared request in turn. */
  readonly expect: number | readonly number[];
  /**
   * Requests started per second, regardless of response times (an open loop). If absent, each connection sends as
   * fast as it receives responses.
   */
  readonly pace?: number;
  /** The run ends after this many requests, including the warm-up. If absent, it ends when its time is over. */
  readonly max?: number;
}

/** One turn of the load generator, which replies with a {@link LoadResult}. */
export interface LoadTurn {
  readonly seconds: number;
  /**
   * What the result covers: all turns counted so far, this turn only, or, during the warm-up, no latencies.
   */
  readonly counts: 'with-others' | 'by-itself' | 'nothing';
  /** The rate of this turn in place of the plan's `pace`. */
  readonly pace?: number;
}

export interface Summary {
  readonly answered: number;
  readonly perSecond: number;
  /** Milliseconds. In an open loop, they are measured from the moment at which the request was due. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly p999: number;
  readonly longest: number;
}
/** Requests that were sent this many milliseconds after they were due, because all connections were in use, count as late. */
export const lateAfterMs = 10;

/** The result of the turns that it covers. */
export interface LoadResult extends Summary {
  /** In an open loop, the requests that were sent late. */
  readonly late: number;
  /** Requests sent, including the warm-up. */
  readonly sent: number;
  /** Whether the prepared requests were used up early. */
  readonly exhausted: boolean;
  /** The number of responses with another status, including the warm-up. If it is not 0, the figures are invalid. */
  readonly unexpected: number;
  readonly firstUnexpected?: string;
  /** The number of responses with each status, including the warm-up. */
  readonly statuses: Readonly<Record<number, number>>;
  /** The generator's own processor time in milliseconds: per request, and per signed proof. */
  readonly ownMs: number;
  readonly proofMs: number;
}

/** Builds a request with a JSON body as it is sent over the wire. */
export const wireRequest = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): string => {
  const json = body === undefined ? '' : JSON.stringify(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(json)}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${json}`;
};
