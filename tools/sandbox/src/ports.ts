import { freePort, isPortFree } from '@xs2a/local-servers/free-port';
import { readJson, writePrivately } from './layout.js';

export interface Ports {
  readonly postgres: number;
  readonly nats: number;
}

const freeOrAnother = async (port: number | undefined): Promise<number> =>
  port !== undefined && (await isPortFree(port)) ? port : freePort();

/** The servers keep their ports, so that a tool that was told one finds it again; a port that was lost is replaced. */
export const rememberedPorts = async (file: string): Promise<Ports> => {
  const kept = readJson<Ports>(file);
  const ports = { postgres: await freeOrAnother(kept?.postgres), nats: await freeOrAnother(kept?.nats) };
  writePrivately(file, JSON.stringify(ports));
  return ports;
};
