import { oauthPaths } from '@xs2a/contracts/oauth-paths';
import { histogram } from '@xs2a/observability/metrics';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callRow } from '../call-rows/call-row.js';
import type { CallRows } from '../call-rows/call-rows.js';
import { type AnsweredCall, type CallRecords, clientClosedRequest } from './call-records.js';
import type { CallLog } from './call-log.js';
import { parsePath } from './public-path.js';
import type { EdgeFindings } from './edge-request.js';
import { readCode } from './tpp-messages.js';

const seconds = histogram('xs2a_http_seconds', 'Time to answer a request', ['endpoint', 'status']);

const answeredCall = (
  { ip, caller }: FastifyRequest,
  edge: EdgeFindings,
  { status, ms }: Pick<AnsweredCall, 'status' | 'ms'>,
): AnsweredCall => ({
  endpoint: edge.endpoint,
  status,
  ms,
  peer: ip,
  tppId: caller?.tpp.clientId,
  consentId: caller?.token.consentId,
  psuIpAddress: edge.headers?.psuIpAddress,
});

interface Observers {
  readonly records: Pick<CallRecords, 'note'>;
  readonly rows: Pick<CallRows, 'note' | 'realMs'>;
  /** The names that a row may contain. */
  readonly names: ReadonlySet<string>;
  readonly log: CallLog;
}

/**
 * The path or route pattern to log. An OAuth path is exact and contains no id, so it is logged in full; for all
 * other paths only the route pattern is logged.
 */
const loggedEndpoint = ({ url, routeOptions }: FastifyRequest): string => {
  const path = parsePath(url);
  return oauthPaths.includes(path) ? path : (routeOptions.url ?? 'unknown');
};

/** True for health probes, which come every few seconds and are not client calls. */
const isProbe = (route: string): boolean => route.startsWith('/health/');

/**
 * Measures, counts and logs every request exactly once, when it is finished on its connection. Fastify's
 * onResponse hook does not fire for clients that disconnect, so this listens for the end of the raw response.
 */
export const observeCalls = (fastify: FastifyInstance, { records, rows, names, log }: Observers): void => {
  const note = (request: FastifyRequest, reply: FastifyReply, ms: number): void => {
    const status = reply.raw.writableFinished ? reply.statusCode : clientClosedRequest;
    const endpoint = request.edge?.endpoint ?? (request.is404 ? 'unknown' : 'other');
    seconds.observe({ endpoint, status }, ms / 1000);
    const { edge } = request;
    if (edge !== undefined) {
      records.note(answeredCall(request, edge, { status, ms }));
      const ending = { status, ms, atMs: rows.realMs - ms };
      rows.note({ status, tppId: edge.token?.clientId }, () => callRow(request, reply, edge, ending, names));
    }
    const { id: requestId, method, refusal } = request;
    const code = readCode(refusal);
    const dependency = refusal?.dependency;
    const route = loggedEndpoint(request);
    const tppId = edge?.token?.clientId;
    if (!isProbe(route))
      log.write({ requestId, tppId, method, endpoint: route, status, code, dependency, ms });
  };
  fastify.addHook('onRequest', (request, reply, done) => {
    const startedAt = performance.now();
    reply.raw.on('close', () => note(request, reply, performance.now() - startedAt));
    done();
  });
};
