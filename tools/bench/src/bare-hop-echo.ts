import 'reflect-metadata';
import { Controller, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MessagePattern, type MicroserviceOptions, type NatsOptions, Transport } from '@nestjs/microservices';

/** The far end of the bare hop: Nest's own NATS transport, and a handler that hands back what it got. */
@Controller()
class EchoController {
  @MessagePattern('bare-hop.echo')
  echo(request: unknown): unknown {
    return request;
  }
}

@Module({ controllers: [EchoController] })
class EchoModule {}

/** As long as a page of 50 entries. */
const page = Buffer.alloc(20_000, 'x');

@Controller()
class PageController {
  @MessagePattern('bare-hop.page')
  page(): Uint8Array {
    return page;
  }
}

@Module({ controllers: [PageController] })
class PageModule {}

const listen = async (module: Type, more: NatsOptions['options'] = {}): Promise<void> => {
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(module, {
    transport: Transport.NATS,
    options: { servers: [process.env['NATS_URL'] ?? ''], ...more },
    logger: ['error', 'fatal'],
  });
  await app.listen();
};

await listen(EchoModule);
// Bytes as they are: nothing is written as JSON.
await listen(PageModule, {
  serializer: { serialize: ({ response }: { readonly response: Uint8Array }) => ({ data: response }) },
});
process.send?.({ ready: true });
process.on('disconnect', () => process.exit(0));
