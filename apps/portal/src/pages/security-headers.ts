import type { FastifyRequest } from 'fastify';

const policy = (sources: Readonly<Record<string, string>>): string =>
  Object.entries(sources)
    .map(([directive, source]) => `${directive} ${source}`)
    .join('; ');

const own = {
  'default-src': "'none'",
  'style-src': "'self'",
  'script-src': "'self'",
  'img-src': "'self'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  'base-uri': "'none'",
} as const;

/**
 * The policy of the page with Swagger UI, which calls the interface. Its style has its icons as `data:` images; nothing comes
 * from other origins.
 */
export const explorerPolicy = policy({ ...own, 'img-src': "'self' data:", 'connect-src': "'self'" });

/** The headers of every page: nothing from other origins, no inline script or style, no frame. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': policy(own),
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/**
 * The headers of a page, by its route. A browser asks again each time: a page shows the running bank. It keeps no page of the
 * workspace.
 */
export const pageHeadersOf = ({
  routeOptions,
}: Pick<FastifyRequest, 'routeOptions'>): Readonly<Record<string, string>> => ({
  ...securityHeaders,
  'Cache-Control': routeOptions.url?.startsWith('/workspace') === true ? 'no-store' : 'no-cache',
  'Content-Type': 'text/html; charset=utf-8',
});
