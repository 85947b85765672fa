import 'reflect-metadata';
import { Controller, Get, Inject, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  type ClientProxy,
  ClientsModule,
  MessagePattern,
  type MicroserviceOptions,
  type NatsOptions,
  Transport,
} from '@nestjs/microservices';
import type { Observable } from 'rxjs';
import { reportReady, startDoor } from './hop-process.js';

const nats: NatsOptions = {
  transport: Transport.NATS,
  options: { servers: [process.env['NATS_URL'] ?? ''] },
};

/** The gateway side of the bare hop, which calls the echo over Nest's own NATS transport for each request. */
@Controller()
class DoorController {
  constructor(@Inject('ECHO') private readonly echo: ClientProxy) {}

  @Get('hop')
  hop(): Observable<unknown> {
    return this.echo.send('bare-hop.echo', { transactionStatus: 'RCVD' });
  }
}

@Module({
  imports: [ClientsModule.register([{ name: 'ECHO', ...nats }])],
  controllers: [DoorController],
})
class DoorModule {}

/** The service side: a handler that returns its input. */
@Controller()
class EchoController {
  @MessagePattern('bare-hop.echo')
  echo(request: unknown): unknown {
    return request;
  }
}

@Module({ controllers: [EchoController] })
class EchoModule {}

if (process.argv[2] === 'door') {
  await startDoor(DoorModule);
} else {
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(EchoModule, {
    ...nats,
    logger: ['error', 'fatal'],
  });
  await app.listen();
  reportReady();
}
