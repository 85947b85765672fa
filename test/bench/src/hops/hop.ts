import { startNats } from '@xs2a/local-servers/nats-server';
import { join } from 'node:path';
import type { Part } from '../load/cpu-time.js';
import { type Forked, startForked } from '../world/forked.js';

/**
 * The minimum work that every request to the service needs: HTTP → NATS request/reply → an echo, without rules or
 * database, in separate processes. `bare` uses Nest's own NATS transport; `transport` uses the services' own
 * (libs/calls).
 */
const hopNames = ['bare', 'transport'] as const;
export type HopName = (typeof hopNames)[number];

export interface Hop {
  readonly name: HopName;
  /** The port on 127.0.0.1. */
  readonly port: number;
  readonly parts: readonly Part[];
  stop(): Promise<void>;
}

/** Starts a hop with its data in `folder`. */
export const startHop = async (name: HopName, folder: string): Promise<Hop> => {
  const nats = await startNats({ dataDir: join(folder, `${name}-hop-nats`) });
  const started: Forked[] = [];
  const start = async (side: 'door' | 'echo'): Promise<Forked> => {
    const forked = await startForked(`hops/${name}-hop.js`, { NATS_URL: nats.url }, side);
    started.push(forked);
    return forked;
  };
  const stop = async (): Promise<void> => {
    for (const { child } of started) child.kill();
    await nats.stop();
  };
  try {
    const echo = await start('echo');
    const door = await start('door');
    const parts = [
      { name: 'echo', pid: echo.pid },
      { name: 'door', pid: door.pid },
      { name: 'nats', pid: nats.pid },
    ];
    return { name, port: door.port, parts, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
