import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { authPresent } from '@xs2a/contracts/auth.contract';
import { fail } from '@xs2a/domain/failure/failures';
import { paymentServices } from '@xs2a/domain/payment/payment-services';
import type { ConfigOf } from '@xs2a/runtime/config';
import type { ServiceParts } from '@xs2a/runtime/service-parts';
import { receiverRules } from '@xs2a/runtime/receivers/notification-receivers';
import type { FastifyInstance } from 'fastify';
import { CallContents } from '../call-rows/call-contents.js';
import { CallRows } from '../call-rows/call-rows.js';
import { namesOfProfile } from '../call-rows/fault-path.js';
import { type CertificateCheck, certificateCheck } from '../checks/certificate/certificate-check.js';
import type { CheckSources } from '../checks/check.js';
import { notificationSupport } from '../checks/headers/notification-headers.js';
import { hasOneHost } from '../checks/headers/request-headers.js';
import { checkAfterBody, checkBeforeBody } from '../checks/index.js';
import { tokenOwner } from '../checks/token-owner.js';
import { Callers } from '../checks/token/callers.js';
import { Revocations } from '../checks/token/revocations.js';
import { type config, pagesOrigin, secretToSend } from '../config.js';
import { endpointRules, ruleUnder } from '../endpoint-rules.js';
import { answerAbsent, isAuthPath } from '../oauth-proxy/auth-answers.js';
import { isForBrowsers, proxyToAuth } from '../oauth-proxy/auth-proxy.js';
import { SignInLimit } from '../oauth-proxy/sign-in-limit.js';
import { documentSettings, openApiDocument } from '../openapi/document.js';
import { PlannedFaults } from '../planned-faults/planned-faults.js';
import { proxyToInboxes } from '../portal-proxy/inbox-proxy.js';
import { portalUrl, proxyToPortal } from '../portal-proxy/portal-proxy.js';
import { clockHeaders } from '../sandbox/clock-header.js';
import { shareExceeded, shareRequests } from '../shares/share-requests.js';
import { CallLog } from './call-log.js';
import { CallRecords } from './call-records.js';
import { answerHeaders, refuse } from './edge-adapter.js';
import { observeCalls } from './observe-calls.js';
import { inCallContext } from './request-context.js';

export type GatewayParts = ServiceParts<ConfigOf<typeof config>>;

/** Prepares Fastify before Nest registers the controllers. Hooks run in the order in which they are added here. */
export const prepareEdge = async (app: NestFastifyApplication, parts: GatewayParts): Promise<void> => {
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  const certificates = certificateCheck(parts.config, parts.clock);
  for (const name of ['edge', 'unroutedToken', 'caller', 'refusal', 'clientCertificate', 'traced'] as const)
    fastify.decorateRequest(name, undefined);
  fastify.decorate('challenges', parts.config.AUTH_PROFILE === 'fapi2' ? 'DPoP' : 'Bearer');
  fastify.decorate(
    'errorPages',
    parts.config.PORTAL === 'sandbox' ? `${parts.config.BASE_URL}/errors/` : undefined,
  );
  fastify.decorateRequest('isFromProxy', false);
  fastify.decorateRequest('losesAnswer', false);
  fastify.removeAllContentTypeParsers();
  ignoreExpectations(fastify);
  const noteRow = observeCalls(fastify, {
    records: app.get(CallRecords),
    rows: app.get(CallRows),
    clock: parts.clock,
    names: namesOfProfile(parts.profile, () =>
      openApiDocument(documentSettings(parts.config, parts.profile)),
    ),
    contents: parts.config.CALL_BODIES ? new CallContents(parts.clock) : undefined,
    log: new CallLog(parts.logger),
  });
  limitBodies(fastify);
  receiveRequests(fastify, certificates, parts.config);
  sendClock(fastify, parts);
  const takeShare = shareRequests(fastify, {
    requests: parts.config.SHARE_REQUESTS,
    bytes: parts.config.SHARE_BYTES,
  });
  const signInLimit = new SignInLimit(parts.clock, parts.config.SANDBOX);
  const sources: CheckSources = {
    profile: parts.profile,
    sandbox: parts.config.SANDBOX,
    clock: parts.clock,
    clockIsFixed: parts.config.SANDBOX_CLOCK === 'fixed',
    receivers: receiverRules(parts.config),
    callClient: parts.callClient,
    certificates,
    revocations: app.get(Revocations),
    callers: app.get(Callers),
    secondsToWaitForRegistration: (request) => signInLimit.secondsToWaitForRegistration(request),
    ...(parts.config.SANDBOX ? { faults: app.get(PlannedFaults) } : {}),
  };
  checkRequests(fastify, sources);
  noteUnreadable(fastify, { noteRow, takeShare, certificates, sources });
  await proxyToAuth(fastify, {
    authUrl: parts.config.AUTH_URL,
    gatewaySecret: secretToSend(parts.config),
    baseUrl: parts.config.BASE_URL,
    pagesUrl: pagesOrigin(parts.config),
    certificateFailure: (presented) => certificates.ownFailure(presented),
    secondsToWait: (request) =>
      request.share?.isExceeded === true ? shareExceeded.retryAfter : signInLimit.secondsToWait(request),
    isThere: async () => parts.callClient.call(authPresent, {}),
  });
  await proxyPortal(fastify, parts.config, signInLimit);
  // This parser is registered after the proxies, because each proxy has its own parser and forwards bodies unread.
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
};

/**
 * Adds `noteUnreadable`, which lists a call whose URL the router could not parse in the log of its TPP and takes a
 * share for the call. No hook runs for such a call.
 */
const noteUnreadable = (
  fastify: FastifyInstance,
  {
    noteRow,
    takeShare,
    certificates,
    sources,
  }: {
    readonly noteRow: ReturnType<typeof observeCalls>;
    readonly takeShare: ReturnType<typeof shareRequests>;
    readonly certificates: CertificateCheck;
    readonly sources: CheckSources;
  },
): void => {
  fastify.decorate('noteUnreadable', async (request, reply) => {
    request.isFromProxy = certificates.isFromProxy(request.raw.headers);
    request.share = takeShare(request);
    request.share.beginWork();
    request.share.close();
    try {
      request.unroutedToken = await tokenOwner(request, sources);
    } finally {
      request.share.endWork();
    }
    noteRow(request, reply, { status: reply.statusCode, ms: 0 });
  });
};

/**
 * Forwards requests for the developer portal to the portal service, and in a sandbox also requests for the workspace
 * and the inboxes.
 */
const proxyPortal = async (
  fastify: FastifyInstance,
  settings: GatewayParts['config'],
  signInLimit: SignInLimit,
): Promise<void> => {
  const upstream = portalUrl(settings);
  if (upstream === undefined) return;
  const hasWorkspace = settings.PORTAL === 'sandbox';
  await proxyToPortal(fastify, {
    upstream,
    baseUrl: settings.BASE_URL,
    hasWorkspace,
    secondsToWait: (request) => signInLimit.secondsToWaitForForm(request),
  });
  if (hasWorkspace)
    await proxyToInboxes(fastify, {
      upstream,
      secondsToWait: (request, inbox) => signInLimit.secondsToWaitForInbox(request, inbox),
    });
};

/**
 * Answers a request with an unknown `Expect` header like any other, as RFC 9110 §10.1.1 permits. Node would answer
 * 417 itself, without the standard headers.
 */
const ignoreExpectations = ({ server }: FastifyInstance): void => {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
};

/** Sets the endpoint's body limit on each route, so that it also applies to bodies of undeclared length. */
const limitBodies = (fastify: FastifyInstance): void => {
  fastify.addHook('onRoute', (route) => {
    const endpoint = route.config?.endpoint;
    const service = paymentServices.find((name) => route.url.startsWith(`/${name}/`));
    const limit = endpoint === undefined ? undefined : ruleUnder(endpoint, service).bodyLimit;
    if (limit !== undefined) route.bodyLimit = limit;
  });
};

/**
 * Handles what all requests have in common, including those to the authorization server: sets the standard
 * headers, reads the client certificate, and requires one Host header.
 */
const receiveRequests = (
  fastify: FastifyInstance,
  certificates: CertificateCheck,
  settings: GatewayParts['config'],
): void => {
  const headers = answerHeaders(settings.BASE_URL);
  const hasPagesHost = pagesOrigin(settings) !== settings.BASE_URL;
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(headers);
    const { endpoint } = request.routeOptions.config;
    if (!isAuthPath(request.url))
      reply.headers(notificationSupport(request.headers, endpoint && endpointRules[endpoint]));
    request.isFromProxy = certificates.isFromProxy(request.raw.headers);
    const certificate = certificates.take(request.raw, request.isFromProxy);
    // On the pages host, the proxy requests no certificate, so a certificate header may have been written by
    // the client. The path decides, because the client also controls the Host header.
    request.clientCertificate = hasPagesHost && isForBrowsers(request.url) ? undefined : certificate;
    if (hasOneHost(request.raw)) return done();
    if (isAuthPath(request.url)) return answerAbsent(request, reply, 400);
    return refuse(reply, [fail('headerMalformed', 'Host', 'Send the Host header exactly once.')]);
  });
};

/** In a sandbox, sends its time with every answer, as of when the answer is sent (contract 13). */
const sendClock = (fastify: FastifyInstance, parts: GatewayParts): void => {
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    reply.headers(clockHeaders(parts));
    done(null, payload);
  });
};

/**
 * For requests to the endpoints of `endpoint-rules.ts`, runs the checks (`checks/index.ts`) and then the
 * controller in the call context.
 */
const checkRequests = (fastify: FastifyInstance, sources: CheckSources): void => {
  fastify.addHook('onRequest', async (request) => {
    const { endpoint } = request.routeOptions.config;
    if (endpoint === undefined) {
      if (request.is404 && !isAuthPath(request.url))
        request.unroutedToken = await tokenOwner(request, sources);
      return;
    }
    const edge = { endpoint, rule: endpointRules[endpoint] };
    request.edge = edge;
    await checkBeforeBody({ request, edge, sources });
  });
  // A body is read in the context of its connection, so the one of the request is entered after that.
  fastify.addHook('preValidation', inCallContext);
  fastify.addHook('preValidation', async (request) => {
    const { edge } = request;
    if (edge !== undefined) await checkAfterBody({ request, edge, sources });
  });
  fastify.addHook('onSend', (request, reply, payload, done) => {
    // A planned lost answer (contract 13).
    if (request.losesAnswer) request.raw.socket.destroy();
    const version = request.edge?.headers?.apiVersion;
    if (version !== undefined) reply.header('x-api-version', version);
    done(null, payload);
  });
};
