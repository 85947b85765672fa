import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { CallClient } from '@xs2a/calls/client';
import { Handles } from '@xs2a/calls/handles';
import { BoundedNatsServer } from '@xs2a/calls/server.strategy';
import { withSharedWrites } from '@xs2a/calls/with-shared-writes';
import { call } from '@xs2a/contracts/call';
import { connectCalls } from '@xs2a/nats/connection';
import { createLogger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import { reportReady, startDoor } from './hop-process.js';

interface Echoed {
  readonly transactionStatus: string;
}
/** The only call of this hop. */
const echo = call<Echoed, Echoed>('svc.bench.echo', 'idempotent');

const [, , side = ''] = process.argv;
const logger = createLogger('transport-hop', 'warn');
const clock = new Clock(false);
const nats = withSharedWrites(
  await connectCalls(process.env['NATS_URL'] ?? '', `transport-hop-${side}`, logger),
  logger,
);
const callClient = new CallClient(nats, clock);

/** The gateway's side of the transport hop. It calls the other side over the transport that the services use. */
@Controller()
class DoorController {
  @Get('hop')
  async hop(): Promise<Echoed> {
    return callClient.call(echo, { transactionStatus: 'RCVD' });
  }
}

@Module({ controllers: [DoorController] })
class DoorModule {}

/** The service side: the services' own transport, and a handler that returns its input. */
@Controller()
class EchoController {
  @Handles(echo)
  echo(request: Echoed): Echoed {
    return request;
  }
}

@Module({ controllers: [EchoController] })
class EchoModule {}

if (side === 'door') {
  await startDoor(DoorModule);
} else {
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(EchoModule, {
    strategy: new BoundedNatsServer({
      nats,
      service: 'transport-hop',
      clock,
      logger,
      isUnavailable: () => false,
    }),
    logger: ['error', 'fatal'],
  });
  await app.listen();
  reportReady();
}
