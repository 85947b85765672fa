import 'reflect-metadata';
import { Controller, Get, Header, Inject, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type ClientProxy, ClientsModule, Transport } from '@nestjs/microservices';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { AddressInfo } from 'node:net';
import type { Observable } from 'rxjs';

const servers = [process.env['NATS_URL'] ?? ''];
const bytesAsTheyAre = {
  deserialize: ({ data }: { readonly data: Uint8Array }) => ({
    id: '',
    response: Buffer.from(data),
    isDisposed: true,
  }),
};

/** The near end of the bare hop: Nest on Fastify with no rule at all, asking the echo over NATS for each request. */
@Controller()
class DoorController {
  constructor(
    @Inject('ECHO') private readonly echo: ClientProxy,
    @Inject('PAGES') private readonly pages: ClientProxy,
  ) {}

  @Get('hop')
  hop(): Observable<unknown> {
    return this.echo.send('bare-hop.echo', { transactionStatus: 'RCVD' });
  }

  @Get('page')
  @Header('content-type', 'application/json')
  page(): Observable<unknown> {
    return this.pages.send('bare-hop.page', {});
  }
}

@Module({
  imports: [
    ClientsModule.register([
      { name: 'ECHO', transport: Transport.NATS, options: { servers } },
      { name: 'PAGES', transport: Transport.NATS, options: { servers, deserializer: bytesAsTheyAre } },
    ]),
  ],
  controllers: [DoorController],
})
class DoorModule {}

const app = await NestFactory.create<NestFastifyApplication>(DoorModule, new FastifyAdapter(), {
  logger: ['error', 'fatal'],
});
await app.listen(0, '127.0.0.1');
process.send?.({ ready: true, port: (app.getHttpServer().address() as AddressInfo).port });
process.on('disconnect', () => process.exit(0));
