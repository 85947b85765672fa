import 'reflect-metadata';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MessagePattern, type MicroserviceOptions, Transport } from '@nestjs/microservices';

/** The service side of the bare hop: Nest's own NATS transport, and a handler that returns its input. */
@Controller()
class EchoController {
  @MessagePattern('bare-hop.echo')
  echo(request: unknown): unknown {
    return request;
  }
}

@Module({ controllers: [EchoController] })
class EchoModule {}

const app = await NestFactory.createMicroservice<MicroserviceOptions>(EchoModule, {
  transport: Transport.NATS,
  options: { servers: [process.env['NATS_URL'] ?? ''] },
  logger: ['error', 'fatal'],
});
await app.listen();
process.send?.({ ready: true });
process.on('disconnect', () => process.exit(0));
