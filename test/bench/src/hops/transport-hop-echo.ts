import 'reflect-metadata';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { connectCalls } from '@xs2a/nats/connection';
import { Handles } from '@xs2a/calls/handles';
import { BoundedNatsServer } from '@xs2a/calls/server.strategy';
import { withSharedWrites } from '@xs2a/calls/with-shared-writes';
import { createLogger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import { echo, type Echoed } from './echo-call.js';

/** The service side of the transport hop: the services' own transport, and a handler that returns its input. */
@Controller()
class EchoController {
  @Handles(echo)
  echo(request: Echoed): Echoed {
    return request;
  }
}

@Module({ controllers: [EchoController] })
class EchoModule {}

const logger = createLogger('transport-hop', 'warn');
const nats = withSharedWrites(
  await connectCalls(process.env['NATS_URL'] ?? '', 'transport-hop', logger),
  logger,
);
const app = await NestFactory.createMicroservice<MicroserviceOptions>(EchoModule, {
  strategy: new BoundedNatsServer({
    nats,
    service: 'transport-hop',
    clock: new Clock(false),
    logger,
    isUnavailable: () => false,
  }),
  logger: ['error', 'fatal'],
});
await app.listen();
process.send?.({ ready: true });
process.on('disconnect', () => process.exit(0));
