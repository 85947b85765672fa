import { callContext } from '@xs2a/calls/context';
import { oauthPaths } from '@xs2a/contracts/oauth-paths';
import { histogram } from '@xs2a/observability/metrics';
import { beginTrace, endSpan, type SpanDescription } from '@xs2a/observability/tracing/spans';
import { traceIdOf } from '@xs2a/observability/tracing/traceparent';
import type { Clock } from '@xs2a/runtime/clock';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CallContents } from '../call-rows/call-contents.js';
import { callRow, type RowSources } from '../call-rows/call-row.js';
import type { CallRows } from '../call-rows/call-rows.js';
import { certificateEnd } from '../call-rows/seen-certificates.js';
import { isAuthPath } from '../oauth-proxy/auth-answers.js';
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

interface Observers extends RowSources {
  readonly records: Pick<CallRecords, 'note'>;
  readonly rows: Pick<CallRows, 'note'>;
  readonly clock: Pick<Clock, 'realMs'>;
  readonly contents?: CallContents;
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

/** The methods that a span may name (HTTP semantic conventions); others are client text. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']);

/** The span of a request. It contains the pattern of the route in place of the path, in which there are ids. */
const requestSpan = (request: FastifyRequest): SpanDescription => {
  const method = knownMethods.has(request.method) ? request.method : '_OTHER';
  const route = request.is404 ? undefined : loggedEndpoint(request);
  return {
    name: route === undefined ? method : `${method} ${route}`,
    kind: 'SERVER',
    attributes: { 'http.request.method': method, 'http.route': route },
  };
};

/** The operation in the row of a call whose path or method matches no endpoint. */
const noOperation = 'none';

/** Stores a row about a call for the console and for the log of the TPP. A call outside the API has no row. */
type NoteRow = (
  request: FastifyRequest,
  reply: FastifyReply,
  ended: Pick<AnsweredCall, 'status' | 'ms'>,
) => void;

/**
 * Traces, measures, counts and logs every request exactly once, when the response on its connection has ended. Listens
 * for the end of the raw response, because Fastify's onResponse hook does not fire if the client disconnects. Returns
 * the function that stores the row of a request whose URL the router could not parse.
 */
export const observeCalls = (
  fastify: FastifyInstance,
  { records, rows, clock, log, ...sources }: Observers,
): NoteRow => {
  const noteRow: NoteRow = (request, reply, { status, ms }) => {
    const { edge, unroutedToken } = request;
    const call = edge ?? (unroutedToken && { endpoint: noOperation, token: unroutedToken });
    if (call === undefined) return;
    const ending = { status, ms, atMs: clock.realMs - ms };
    const certificateEndsAtMs = certificateEnd(request);
    rows.note({ status, tppId: call.token?.clientId, certificateEndsAtMs }, () =>
      callRow(request, reply, call, ending, sources),
    );
  };
  const note = (request: FastifyRequest, reply: FastifyReply, ms: number): void => {
    const status = reply.raw.writableFinished ? reply.statusCode : clientClosedRequest;
    const endpoint = request.edge?.endpoint ?? (request.is404 ? 'unknown' : 'other');
    seconds.observe({ endpoint, status }, ms / 1000);
    const { edge, id: requestId, method, refusal, traced } = request;
    const tppId = edge?.token?.clientId;
    if (edge !== undefined) records.note(answeredCall(request, edge, { status, ms }));
    noteRow(request, reply, { status, ms });
    const code = readCode(refusal);
    // A 503 of the authorization server itself is passed on; its log names what it needs.
    const dependency =
      refusal?.dependency ?? (status === 503 && isAuthPath(request.url) ? 'auth' : undefined);
    const route = loggedEndpoint(request);
    if (isProbe(route)) return;
    const traceId = traced && traceIdOf(traced.traceparent);
    log.write({ requestId, traceId, tppId, method, endpoint: route, status, code, dependency, ms });
    endSpan(traced?.span, {
      error: status >= 500 ? String(status) : undefined,
      attributes: {
        'http.response.status_code': status,
        'xs2a.request_id': requestId,
        'xs2a.tpp_id': tppId,
        'xs2a.error_code': code,
        'xs2a.dependency': dependency,
      },
    });
  };
  sources.contents?.observe(fastify);
  fastify.addHook('onRequest', (request, reply, done) => {
    const startedAt = performance.now();
    reply.raw.on('close', () => note(request, reply, performance.now() - startedAt));
    if (isProbe(loggedEndpoint(request))) return done();
    const sent = request.headers['traceparent'];
    request.traced = beginTrace(requestSpan(request), typeof sent === 'string' ? sent : undefined);
    const { traceparent } = request.traced;
    return callContext.run({ requestId: request.id, traceparent }, done);
  });
  return noteRow;
};
