import { type CallContext, callContext } from '@xs2a/calls/context';
import { gatewaySecretHeader } from '@xs2a/contracts/oauth-paths';
import type { Logger } from '@xs2a/observability/logger';
import { newId } from '@xs2a/runtime/ids';
import { SharedSecrets } from '@xs2a/runtime/secrets/shared-secrets';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BankLook } from './sca/pages/look/bank-look.js';
import { plainPage } from './sca/pages/end-pages.js';
import { chooseLanguage } from './sca/pages/language.js';
import { pageHeaders } from './sca/pages/page.js';

const notTheGateway = JSON.stringify({
  error: 'access_denied',
  error_description: 'This server accepts requests only from the gateway.',
});

/**
 * Rejects every request that does not come from the gateway before anything else reads it. The server trusts what
 * a request states about its client (certificate, address, host), and only the gateway may state that.
 */
export const answerGatewayOnly = (
  fastify: FastifyInstance,
  { secrets, logger }: { readonly secrets: readonly string[]; readonly logger: Logger },
): void => {
  const known = new SharedSecrets(secrets);
  fastify.addHook('onRequest', (request, reply, done) => {
    const sent = request.headers[gatewaySecretHeader];
    delete request.headers[gatewaySecretHeader];
    if (known.accepts(sent)) return done();
    logger.warn({ hasSecret: sent !== undefined }, 'refused a request without the gateway secret');
    return reply.code(403).header('cache-control', 'no-store').type('application/json').send(notTheGateway);
  });
};

/** The gateway sends the request's id and its trace along. */
const contextOf = ({ headers }: FastifyRequest): CallContext => {
  const { 'x-request-id': requestId, traceparent } = headers;
  return {
    requestId: typeof requestId === 'string' ? requestId : newId(),
    traceparent: typeof traceparent === 'string' ? traceparent : undefined,
  };
};

const enterContext = (request: FastifyRequest, _reply: FastifyReply, done: () => void): void =>
  callContext.run(contextOf(request), done);

/**
 * Runs each request in the call context that the gateway began. It is entered a second time because a form is read in
 * the context of its connection.
 */
export const continueContext = (fastify: FastifyInstance): void => {
  fastify.addHook('onRequest', enterContext);
  fastify.addHook('preValidation', enterContext);
};

/** Makes the pages accept only HTML forms. */
export const acceptForms = (fastify: FastifyInstance): void => {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
};

/**
 * Answers with a page when Fastify or Nest rejects a request on its own, for example because the body is too large
 * or of another type.
 */
@Catch()
export class PageFilter implements ExceptionFilter<unknown> {
  constructor(private readonly look: () => BankLook) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const { headers } = http.getRequest<FastifyRequest>();
    const code: unknown = Reflect.get(Object(error), 'statusCode') ?? Reflect.get(Object(error), 'status');
    const status = typeof code === 'number' && code >= 400 && code < 500 ? code : 500;
    const name = status === 500 ? 'unavailable' : status === 404 ? 'notFound' : 'forbidden';
    await http
      .getResponse<FastifyReply>()
      .headers({ ...pageHeaders() })
      .code(status)
      .send(plainPage(chooseLanguage({ accept: headers['accept-language'] }), name)(this.look()).text);
  }
}
