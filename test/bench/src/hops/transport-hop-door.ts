import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { connectCalls } from '@xs2a/nats/connection';
import { CallClient } from '@xs2a/calls/client';
import { withSharedWrites } from '@xs2a/calls/with-shared-writes';
import { createLogger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import type { AddressInfo } from 'node:net';
import { echo, type Echoed } from './echo-call.js';

const logger = createLogger('transport-hop', 'warn');
const nats = withSharedWrites(
  await connectCalls(process.env['NATS_URL'] ?? '', 'transport-hop-door', logger),
  logger,
);
const callClient = new CallClient(nats, new Clock(false));

/** The gateway side of the transport hop: Nest on Fastify without any rule, which calls over the services' own transport. */
@Controller()
class DoorController {
  @Get('hop')
  async hop(): Promise<Echoed> {
    return callClient.call(echo, { transactionStatus: 'RCVD' });
  }
}

@Module({ controllers: [DoorController] })
class DoorModule {}

const app = await NestFactory.create<NestFastifyApplication>(DoorModule, new FastifyAdapter(), {
  logger: ['error', 'fatal'],
});
await app.listen(0, '127.0.0.1');
process.send?.({ ready: true, port: (app.getHttpServer().address() as AddressInfo).port });
process.on('disconnect', () => process.exit(0));
