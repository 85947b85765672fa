import { freePort, isPortFree } from '@xs2a/local-servers/free-port';
import type { NatsPorts } from '@xs2a/local-servers/nats-cluster';
import { readJson, writePrivately } from './layout.js';

export interface Ports {
  readonly postgres: number;
  /** The ports of each NATS node. */
  readonly nats: readonly NatsPorts[];
  readonly prometheus: number;
  /** The pages of the operators' console. */
  readonly console: number;
  /** The identity provider of the staff. */
  readonly staffProvider: number;
}

const freeOrAnother = async (port: number | undefined): Promise<number> =>
  port !== undefined && (await isPortFree(port)) ? port : freePort();

export interface PortWishes {
  readonly natsNodes: number;
  /** The port of the console's pages, if it is free at the first start; by default, any free port. */
  readonly console?: number;
}

/** Servers keep their ports so that tools can find them again. A port that is in use by another program is replaced. */
export const rememberedPorts = async (file: string, { natsNodes, console }: PortWishes): Promise<Ports> => {
  const kept = readJson<Partial<Ports>>(file);
  const nats: NatsPorts[] = [];
  for (let index = 0; index < natsNodes; index += 1) {
    const place = kept?.nats?.[index];
    nats.push({ client: await freeOrAnother(place?.client), route: await freeOrAnother(place?.route) });
  }
  const ports = {
    postgres: await freeOrAnother(kept?.postgres),
    nats,
    prometheus: await freeOrAnother(kept?.prometheus),
    console: await freeOrAnother(kept?.console ?? console),
    staffProvider: await freeOrAnother(kept?.staffProvider),
  };
  writePrivately(file, JSON.stringify(ports));
  return ports;
};
