import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { authPresent } from '@xs2a/contracts/auth.contract';
import { type Failure, fail } from '@xs2a/domain/failure/failures';
import { initiationFailure, paymentServices } from '@xs2a/domain/payment/payment-services';
import type { Profile } from '@xs2a/domain/profile/profile';
import { CallFailed, callFailed } from '@xs2a/domain/failure/failed';
import { callContext } from '@xs2a/calls/context';
import type { ConfigOf } from '@xs2a/runtime/config';
import type { ServiceParts } from '@xs2a/runtime/service-parts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CallLog } from './call-log.js';
import { CallRecords } from './call-records.js';
import { answerAbsent, isAuthPath } from '../oauth-proxy/auth-answers.js';
import { proxyToAuth } from '../oauth-proxy/auth-proxy.js';
import { SignInLimit } from '../oauth-proxy/sign-in-limit.js';
import type { config } from '../config.js';
import {
  type EndpointRule,
  endpointRules,
  namesConsent,
  ruleUnder,
  type TokenRule,
  tokenKinds,
} from '../endpoint-rules.js';
import { pathOf, paymentNamed } from './public-path.js';
import { type Caller, Callers } from '../checks/token/callers.js';
import { credentialsOf } from '../checks/token/credentials.js';
import type { Presented } from '../checks/token/dpop-proofs.js';
import { acceptsJson, declaresJson } from '../checks/content-negotiation.js';
import { CertificateDoor, certificateDoor } from '../checks/client-certificate.js';
import { answerHeaders, refuse } from './edge-adapter.js';
import { notificationSupport } from '../checks/notification-headers.js';
import { hasOneHost, isRepeated, readHeaders } from '../checks/request-headers.js';
import type { EdgeFindings } from './edge-request.js';
import { observeCalls } from './observe-calls.js';

export type GatewayParts = ServiceParts<ConfigOf<typeof config>>;

const traceparent = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
/** The language that is wanted most, by the place in the header alone. */
const firstLanguage = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*/i;

/** Product and service in the path, when it is a payment's; throws CallFailed for a product that is not offered. */
const paymentIn = (
  { params, routeOptions }: FastifyRequest,
  offered: readonly string[],
): EdgeFindings['payment'] => {
  const name: unknown = Reflect.get(Object(params), 'paymentProduct');
  if (typeof name !== 'string') return undefined;
  const { service, product } = paymentNamed(routeOptions.url?.split('/', 2)[1] ?? '', name) ?? {};
  if (service === undefined || product === undefined || !offered.includes(product))
    throw callFailed('productUnknown');
  return { service, product };
};

const ruleOf = ({ endpoint, payment }: EdgeFindings): EndpointRule => ruleUnder(endpoint, payment?.service);

/** Creation alone is refused where a service is off: what was created there before can still be read. */
const offerFailure = (
  { endpoint, payment }: EdgeFindings,
  profile: Pick<Profile, 'offers'>,
): Failure | undefined => {
  if (endpoint === 'createBasket' && !profile.offers.includes('signing-baskets'))
    return fail(
      'serviceNotOffered',
      undefined,
      'Signing baskets are not offered. Have each item signed alone.',
    );
  return endpoint === 'initiatePayment' && payment !== undefined
    ? initiationFailure(payment.service, payment.product, profile)
    : undefined;
};

const bringsBody = (headers: FastifyRequest['headers']): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** 406, 415, 413: the first that applies (contract 3). */
const formFailure = (
  { headers }: Pick<FastifyRequest, 'headers'>,
  rule: EndpointRule,
): Failure | undefined => {
  if (!acceptsJson(headers.accept)) return fail('acceptExcludesJson', 'Accept');
  if (rule.bodyLimit === undefined || (rule.bodyOptional === true && !bringsBody(headers))) return undefined;
  if (!declaresJson(headers['content-type'], headers['content-encoding']))
    return fail('contentTypeNotJson', 'Content-Type');
  return Number(headers['content-length'] ?? 0) > rule.bodyLimit ? fail('bodyTooLarge') : undefined;
};

/** The access token and what goes with it. Throws CallFailed. */
const presentedIn = ({ headers, method, originalUrl, raw: { rawHeaders } }: FastifyRequest): Presented => {
  for (const name of ['Authorization', 'DPoP'])
    if (isRepeated(rawHeaders, name.toLowerCase()))
      throw callFailed('headerMalformed', name, 'Send the header once.');
  const { scheme, token } = credentialsOf(headers.authorization);
  const proof = headers['dpop'];
  return { scheme, token, method, url: originalUrl, proof: typeof proof === 'string' ? proof : undefined };
};

/** The checks before every endpoint, in the order of contract 3. Rejects with CallFailed. */
class Edge {
  constructor(
    private readonly callers: Callers,
    private readonly certificates: CertificateDoor,
    private readonly options: {
      readonly sandbox: boolean;
      readonly profile: Pick<Profile, 'products' | 'offers'>;
    },
  ) {}

  /** Before the body is read: product, token, TPP, role, scope, certificate, service, 406, 415, 413. Synchronous for a known token. */
  admit(request: FastifyRequest): void | Promise<void> {
    const { endpoint } = request.routeOptions.config;
    if (endpoint === undefined) return undefined;
    const path = pathOf(request.url);
    // The router takes an empty segment for a parameter; for us it is another path.
    if (path.endsWith('/') || path.includes('//')) throw callFailed('pathUnknown');
    const payment = paymentIn(request, this.options.profile.products);
    const edge: EdgeFindings = payment === undefined ? { endpoint } : { endpoint, payment };
    request.edge = edge;
    const rule = ruleOf(edge);
    const wanted = tokenKinds[rule.token];
    if (wanted === undefined) return this.checkForm(request, rule);
    const caller = this.callers.identify(presentedIn(request), wanted, (token) => {
      edge.token = token;
    });
    if (!(caller instanceof Promise)) return this.admitCaller(request, caller, wanted);
    return caller.then((identified) => this.admitCaller(request, identified, wanted));
  }

  /** After the body is read: the headers. */
  admitHeaders(request: FastifyRequest): void | Promise<void> {
    const { edge } = request;
    if (edge === undefined) return undefined;
    const rule = ruleOf(edge);
    const found = readHeaders(request.raw, {
      rule,
      registered: edge.caller?.tpp.redirectUris ?? [],
      sandbox: this.options.sandbox,
      ...(namesConsent(tokenKinds[rule.token]) ? { consentId: edge.caller?.token.consentId } : {}),
    });
    if ('failures' in found) return this.refuse(request, found.failures);
    edge.headers = found.headers;
    return undefined;
  }

  private admitCaller(request: FastifyRequest, caller: Caller, wanted: TokenRule): void | Promise<void> {
    const { edge } = request;
    if (edge === undefined) return undefined;
    const failure =
      this.certificates.failure(request.clientCertificate, caller, wanted) ??
      offerFailure(edge, this.options.profile);
    if (failure !== undefined) return this.callers.refuse(caller, wanted, [failure]);
    edge.caller = caller;
    return this.checkForm(request, ruleOf(edge));
  }

  private checkForm(request: FastifyRequest, rule: EndpointRule): void | Promise<void> {
    const failure = formFailure(request, rule);
    return failure === undefined ? undefined : this.refuse(request, [failure]);
  }

  private async refuse({ edge }: FastifyRequest, failures: readonly Failure[]): Promise<void> {
    const rule = edge && tokenKinds[ruleOf(edge).token];
    if (edge?.caller === undefined || rule === undefined) throw new CallFailed(failures);
    return this.callers.refuse(edge.caller, rule, failures);
  }
}

const settle = async (pending: Promise<void>, done: (error?: Error) => void): Promise<void> => {
  const error = await pending.then(
    () => undefined,
    (reason: Error) => reason,
  );
  done(error);
};

/** Runs a check as a Fastify hook without a promise where none is needed. */
const asHook =
  (check: (request: FastifyRequest) => void | Promise<void>) =>
  (request: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void => {
    try {
      const pending = check(request);
      if (pending === undefined) done();
      else void settle(pending, done);
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  };

/** Gives the rest of a request its context, so that every call it causes carries its id and its TPP. */
const inContext = (request: FastifyRequest, _reply: unknown, done: () => void): void => {
  if (request.edge === undefined) return done();
  const { traceparent: sent, 'accept-language': languages } = request.headers;
  const { caller } = request.edge;
  const context = {
    requestId: request.id,
    ...(typeof sent === 'string' && traceparent.test(sent) ? { traceparent: sent } : {}),
    ...(caller === undefined ? {} : { actor: caller.tpp.clientId }),
    ...(languages === undefined ? {} : { language: firstLanguage.exec(languages)?.[0] }),
  };
  return callContext.run(context, done);
};

/** Puts the edge's checks into Fastify, before Nest registers the controllers. */
const installEdge = (
  fastify: FastifyInstance,
  edge: Edge,
  certificates: CertificateDoor,
  observers: Parameters<typeof observeCalls>[1],
  headers: Readonly<Record<string, string>>,
): void => {
  fastify.decorateRequest('edge', undefined);
  fastify.decorateRequest('isFromProxy', false);
  fastify.decorateRequest('refusedWith', undefined);
  fastify.decorateRequest('clientCertificate', undefined);
  fastify.removeAllContentTypeParsers();
  observeCalls(fastify, observers);
  fastify.addHook('onRoute', (route) => {
    const endpoint = route.config?.endpoint;
    const service = paymentServices.find((name) => route.url.startsWith(`/${name}/`));
    const limit = endpoint === undefined ? undefined : ruleUnder(endpoint, service).bodyLimit;
    if (limit !== undefined) route.bodyLimit = limit;
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(headers);
    const { endpoint } = request.routeOptions.config;
    if (!isAuthPath(request.url))
      reply.headers(notificationSupport(request.headers, endpoint && endpointRules[endpoint]));
    request.isFromProxy = certificates.isFromProxy(request.raw.headers);
    request.clientCertificate = certificates.take(request.raw, request.isFromProxy);
    if (hasOneHost(request.raw)) return done();
    if (isAuthPath(request.url)) return answerAbsent(request, reply, 400);
    return refuse(reply, [fail('headerMalformed', 'Host', 'Send the header Host once.')]);
  });
  fastify.addHook(
    'onRequest',
    asHook((request) => edge.admit(request)),
  );
  fastify.addHook(
    'preValidation',
    asHook((request) => edge.admitHeaders(request)),
  );
  fastify.addHook('preHandler', inContext);
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const version = request.edge?.headers?.apiVersion;
    if (version !== undefined) reply.header('x-api-version', version);
    done(null, payload);
  });
};

/** Prepares the gateway's HTTP side. */
export const prepareEdge = async (app: NestFastifyApplication, parts: GatewayParts): Promise<void> => {
  const certificates = certificateDoor(parts.config, parts.clock);
  const edge = new Edge(app.get(Callers), certificates, {
    sandbox: parts.config.SANDBOX,
    profile: parts.profile,
  });
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  const observers = { records: app.get(CallRecords), log: new CallLog(parts.logger) };
  installEdge(fastify, edge, certificates, observers, answerHeaders(parts.config.BASE_URL));
  await proxyToAuth(fastify, {
    authUrl: parts.config.AUTH_URL,
    baseUrl: parts.config.BASE_URL,
    certificateFailure: (presented) => certificates.doorFailure(presented),
    limit: new SignInLimit(parts.clock, parts.config.SANDBOX),
    isThere: async () => parts.requester.call(authPresent, {}),
  });
  // After the proxy, which reads no bodies and so has parsers of its own.
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
};
