import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { acceptsGzip } from '@xs2a/runtime/http/accepts-gzip';
import type { ServiceParts } from '@xs2a/runtime/service-parts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { hasWorkspace, type PortalConfig } from './config.js';
import { InboxAddresses } from './inbox/inbox-addresses.js';
import { InboxEntries } from './inbox/inbox-entries.js';
import { PlannedAnswers } from './inbox/planned-answers.js';
import { receivePushes } from './inbox/receive-pushes.js';
import { errorPage, PageFilter } from './pages/page.filter.js';
import { PageInterceptor } from './pages/page.interceptor.js';
import { pageHeadersOf } from './pages/security-headers.js';

const compress = promisify(gzip);
/** The largest form: a request body of the workspace, with its encoding. */
const formBytes = 128 * 1024;
/** Below this many characters, an answer is not compressed. */
const smallest = 1000;

/** The server of the portal, behind the gateway. */
export const portalAdapter = (): FastifyAdapter =>
  new FastifyAdapter({
    bodyLimit: formBytes,
    routerOptions: { maxParamLength: 200 },
    // Fastify refuses an address that cannot be decoded before any filter sees it.
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) => {
      void reply.code(400).headers(pageHeadersOf(request)).send(errorPage(400, request));
    },
  });

/** Prepares the server of the portal. */
export const prepareHttp = async (
  app: NestFastifyApplication,
  { logger, clock, config }: ServiceParts<PortalConfig>,
): Promise<void> => {
  app.useGlobalFilters(new PageFilter(logger));
  app.useGlobalInterceptors(new PageInterceptor());
  const fastify = app.getHttpAdapter().getInstance();
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
  fastify.addHook('onSend', async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    reply.header('vary', 'accept-encoding');
    if (typeof payload !== 'string' || payload.length < smallest) return payload;
    if (!acceptsGzip(request.headers['accept-encoding'])) return payload;
    reply.header('content-encoding', 'gzip').removeHeader('content-length');
    return compress(payload);
  });
  if (!hasWorkspace(config)) return;
  await receivePushes(fastify as unknown as FastifyInstance, {
    addresses: app.get(InboxAddresses),
    entries: app.get(InboxEntries),
    planned: app.get(PlannedAnswers),
    clock,
    logger,
  });
};
