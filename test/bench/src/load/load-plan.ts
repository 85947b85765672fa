import type { ProofKey } from './proofs.js';

/** Placeholder in a prepared request for a UUID that is new each time it is sent. */
export const uuidMark = '{{uuid}}';

/** A connection with a client certificate: PEM texts. */
export interface ClientTls {
  readonly ca: string;
  readonly servername: string;
  readonly cert: string;
  readonly key: string;
}

/** The address to which requests are sent. */
export interface Entrance {
  /** On 127.0.0.1, the only host that the generator knows. */
  readonly port: number;
  readonly tls?: ClientTls;
  /** Signs the proofs that prepared requests need. */
  readonly proofs?: ProofKey;
}

/** The task of the load generator. */
export interface LoadPlan extends Entrance {
  readonly connections: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
  /** Whole requests, sent in turn over all connections. */
  readonly requests: readonly string[];
  /** Each request may be sent only once. The run ends early when all are used. */
  readonly once?: boolean;
  /** The status that every answer must have. */
  readonly expect: number;
  /** Requests started per second, whatever the answer times; absent: each connection as fast as it is answered. */
  readonly pace?: number;
  /** The run ends after this many requests, warm-up included; absent: when its time is over. */
  readonly max?: number;
}

/** One turn of the load generator, which answers it with a {@link LoadResult}. */
export interface LoadTurn {
  readonly seconds: number;
  /** False: warm-up. */
  readonly counts: boolean;
}

export interface Summary {
  readonly answered: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly longest: number;
}
/** The sum of all counted turns so far. */
export interface LoadResult extends Summary {
  /** Requests sent, warm-up included. */
  readonly sent: number;
  /** The prepared requests were used up before the end. */
  readonly exhausted: boolean;
  /** Answers with another status, warm-up included. If there are any, the figures are invalid. */
  readonly unexpected: number;
  readonly firstUnexpected?: string;
  /** How many answers had each status, warm-up included. */
  readonly statuses: Readonly<Record<number, number>>;
  /** The generator's own processor time in milliseconds, per request; for signing, per proof. */
  readonly ownMs: number;
  readonly proofMs: number;
}

/** A request as sent over the wire; the body is JSON. */
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
