import { createLogger } from '@xs2a/observability/logger';
import { ConfigError, readConfig } from '@xs2a/runtime/config';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import { choicePage, style } from './choice-page.js';
import { config } from './config.js';
import { createProvider } from './provider.js';
import { findMember } from './staff.js';

const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'",
  'Cache-Control': 'no-store',
};
const maxFormBytes = 1024;

const readForm = async (request: IncomingMessage): Promise<URLSearchParams> => {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > maxFormBytes) break;
  }
  return new URLSearchParams(text);
};

/** Shows the page on which a person chooses who to be, and takes the choice. */
const interact = async (
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const { uid } = await provider.interactionDetails(request, response);
  if (request.method !== 'POST') return void response.writeHead(200, pageHeaders).end(choicePage(uid).text);
  const accountId = (await readForm(request)).get('staff') ?? '';
  if (findMember(accountId) === undefined) return void response.writeHead(400).end();
  await provider.interactionFinished(request, response, { login: { accountId } });
};

const start = async (): Promise<void> => {
  const settings = readConfig(config);
  const logger = createLogger('staff-provider', settings.LOG_LEVEL);
  const provider = createProvider(settings);
  const answer = provider.callback();
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0] ?? '/';
    if (path === '/health/ready') return void response.writeHead(200).end();
    if (path === '/style.css') return void response.writeHead(200, { 'Content-Type': 'text/css' }).end(style);
    if (!path.startsWith('/interaction/')) return void answer(request, response);
    interact(provider, request, response).catch((error: unknown) => {
      logger.info({ error }, 'a sign-in ended');
      response.writeHead(400, pageHeaders).end('This sign-in has ended. Go back to the console.');
    });
  });
  server.listen(settings.PORT, settings.HOST, () => logger.info({ port: settings.PORT }, 'ready'));
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      server.close(() => process.exit(0));
      server.closeAllConnections();
    });
};

try {
  await start();
} catch (error) {
  const problems = error instanceof ConfigError ? error.problems : undefined;
  createLogger('staff-provider').fatal(
    { error, problems },
    'the identity provider of the staff could not start',
  );
  process.exit(1);
}
