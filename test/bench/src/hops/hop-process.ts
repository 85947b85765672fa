import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { AddressInfo } from 'node:net';

/** Reports to the benchmark that this process is ready, and exits when the benchmark exits. */
export const reportReady = (port?: number): void => {
  process.send?.({ ready: true, port });
  process.on('disconnect', () => process.exit(0));
};

/** Starts the gateway side of a hop: Nest on Fastify without any rules. */
export const startDoor = async (module: new () => object): Promise<void> => {
  const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), {
    logger: ['error', 'fatal'],
  });
  await app.listen(0, '127.0.0.1');
  reportReady((app.getHttpServer().address() as AddressInfo).port);
};
