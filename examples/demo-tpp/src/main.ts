import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { createLogger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import { ConfigError, readConfig } from '@xs2a/runtime/config';
import { NestLogger } from '@xs2a/runtime/nest-logger';
import type { FastifyRequest } from 'fastify';
import { config } from './config.js';
import { DemoModule } from './demo.module.js';
import { readUpload } from './page/upload.js';

/** The upload limit. A file that is too large for a bulk but within this limit gets a page that shows the fault. */
const maxUploadBytes = 4 * 1024 * 1024;

const start = async (): Promise<void> => {
  const settings = readConfig(config);
  const logger = createLogger('demo-tpp', settings.LOG_LEVEL);
  const app = await NestFactory.create<NestFastifyApplication>(
    DemoModule.forRoot({ settings, logger, clock: new Clock(false) }),
    new FastifyAdapter({
      bodyLimit: 16 * 1024,
      routerOptions: { maxParamLength: 100 },
      // The event streams of open pages do not close by themselves.
      forceCloseConnections: true,
    }),
    { logger: new NestLogger(logger), bodyParser: false, abortOnError: false },
  );
  const fastify = app.getHttpAdapter().getInstance();
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  );
  fastify.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: maxUploadBytes },
    async (request: FastifyRequest, body: Buffer) => readUpload(body, request.headers['content-type'] ?? ''),
  );
  await app.listen(settings.PORT, settings.HOST);
  logger.info({ port: settings.PORT }, 'ready');
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void app.close().then(() => process.exit(0)));
};

try {
  await start();
} catch (error) {
  const problems = error instanceof ConfigError ? error.problems : undefined;
  createLogger('demo-tpp').fatal({ error, problems }, 'the demo TPP could not start');
  process.exit(1);
}
