import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceParts } from '@xs2a/runtime/service-parts';
import { type ConsoleConfig, readPages } from './config.js';
import { bareHeaders } from './pages/bare-page.js';
import { errorPage, PageFilter } from './pages/page.filter.js';
import { IdentityProvider } from './staff/identity-provider.js';
import { mountSignIn, returnPath } from './staff/sign-in.js';
import { StaffSessions } from './staff/staff-sessions.js';

/**
 * The server of the pages. The proxy that ends TLS in front of it says so with X-Forwarded-Proto, and appends the address
 * of the browser to X-Forwarded-For.
 */
export const pagesAdapter = (): FastifyAdapter =>
  new FastifyAdapter({
    bodyLimit: 16 * 1024,
    trustProxy: (_address, hop) => hop === 0,
    routerOptions: { maxParamLength: 100 },
    // Fastify refuses an address that cannot be decoded before any filter sees it.
    frameworkErrors: (_error: Error, _request: FastifyRequest, reply: FastifyReply) => {
      void reply.code(400).headers(bareHeaders).send(errorPage(400));
    },
  });

/** Prepares the server of the pages, if the console has any. */
export const preparePages = async (
  app: NestFastifyApplication,
  { config, logger }: ServiceParts<ConsoleConfig>,
): Promise<void> => {
  const pages = readPages(config);
  if (pages === undefined) return;
  const { url, cookieSecrets: secrets, ...settings } = pages;
  const fastify = app.getHttpAdapter().getInstance();
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
  app.useGlobalFilters(new PageFilter(logger));
  const provider = new IdentityProvider({ ...settings, callbackUrl: `${url}${returnPath}` });
  await mountSignIn(fastify, {
    provider,
    sessions: app.get(StaffSessions),
    ownUrl: url,
    secrets,
    logger,
    isSandbox: config.SANDBOX,
  });
};
