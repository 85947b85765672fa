import 'reflect-metadata';
import { Controller, Get, Inject, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type ClientProxy, ClientsModule, Transport } from '@nestjs/microservices';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { AddressInfo } from 'node:net';
import type { Observable } from 'rxjs';

const servers = [process.env['NATS_URL'] ?? ''];

/** The gateway side of the bare hop: Nest on Fastify without any rule, which calls the echo over NATS for each request. */
@Controller()
class DoorController {
  constructor(@Inject('ECHO') private readonly echo: ClientProxy) {}

  @Get('hop')
  hop(): Observable<unknown> {
    return this.echo.send('bare-hop.echo', { transactionStatus: 'RCVD' });
  }
}

@Module({
  imports: [ClientsModule.register([{ name: 'ECHO', transport: Transport.NATS, options: { servers } }])],
  controllers: [DoorController],
})
class DoorModule {}

const app = await NestFactory.create<NestFastifyApplication>(DoorModule, new FastifyAdapter(), {
  logger: ['error', 'fatal'],
});
await app.listen(0, '127.0.0.1');
process.send?.({ ready: true, port: (app.getHttpServer().address() as AddressInfo).port });
process.on('disconnect', () => process.exit(0));
