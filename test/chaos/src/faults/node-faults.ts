import { jetstreamManager } from '@nats-io/jetstream';
import { eventStreams } from '@xs2a/contracts/event-streams';
import { metadataLeader, nodeName } from '@xs2a/local-servers/nats-cluster';
import type { NatsServer } from '@xs2a/local-servers/nats-server';
import type { Supervised } from '@xs2a/sandbox/processes/supervised';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { whileFrozen } from './process-family.js';
import type { NodeFault, NodeRole } from './schedule.js';
import type { ChaosWorld } from '../world.js';

/** The maximum time to find a node. A cluster elects a leader within a second or two, or later on a busy machine. */
const foundWithinMs = 8000;

interface Node {
  readonly server: Supervised<NatsServer>;
  readonly index: number;
}

/**
 * Injects faults into single nodes of a NATS cluster. After each fault all nodes are running, although they may
 * still be catching up.
 */
export class NodeFaults {
  constructor(private readonly world: ChaosWorld) {}

  /** Injects a fault. Returns whether it happened: without a leader, no node has a role, so no fault can happen. */
  async happen(fault: NodeFault): Promise<boolean> {
    if (fault.kind === 'lose quorum') return this.loseQuorum(fault.seconds);
    const node = await this.find(fault.role);
    if (node === undefined) return false;
    switch (fault.kind) {
      case 'kill node':
        return this.away([node], fault.seconds);
      case 'wipe node':
        return this.away([node], fault.seconds, () => this.wipe(node));
      case 'freeze node':
        return whileFrozen(node.server.pid, fault.seconds);
      case 'restart node':
        await node.server.restart();
        return true;
    }
  }

  private async loseQuorum(seconds: number): Promise<boolean> {
    const [leader, follower] = [await this.find('leader'), await this.find('follower')];
    return leader !== undefined && follower !== undefined && this.away([leader, follower], seconds);
  }

  /** Kills a node with kill -9 and restarts it after some seconds. */
  private async away(
    nodes: readonly Node[],
    seconds: number,
    meanwhile: () => void = () => undefined,
  ): Promise<boolean> {
    for (const { server } of nodes) server.kill('SIGKILL');
    await Promise.all(nodes.map(async ({ server }) => server.stop()));
    meanwhile();
    await wait(seconds * 1000);
    await Promise.all(nodes.map(async ({ server }) => server.start()));
    return true;
  }

  private wipe({ index }: Node): void {
    rmSync(join(this.world.natsFolder, nodeName(index), 'jetstream'), { recursive: true, force: true });
  }

  /** Finds the node with the given role, waiting for an election that may still be under way after an earlier fault. */
  private async find(role: NodeRole): Promise<Node | undefined> {
    const end = performance.now() + foundWithinMs;
    while (performance.now() < end) {
      // A cluster without a leader does not respond.
      const node = await this.findNow(role).catch(() => undefined);
      if (node !== undefined) return node;
      await wait(100);
    }
    return undefined;
  }

  private async findNow(role: NodeRole): Promise<Node | undefined> {
    const { nats, sandbox } = this.world;
    const { cluster } = await (await jetstreamManager(nats)).streams.info(eventStreams.payments);
    const leads = metadataLeader(sandbox.natsNodes.map(({ name }) => this.world.readLog(name)));
    const nodes = sandbox.natsNodes
      .map((server, index) => ({ server, index }))
      .filter(({ server }) => server.pid !== 0 && cluster?.leader !== undefined);
    const leader = nodes.find(({ index }) => nodeName(index) === cluster?.leader);
    const others = nodes.filter((node) => node !== leader);
    return {
      leader,
      'metadata leader': nodes.find(({ index }) => index === leads),
      follower: others.find(({ index }) => index !== leads) ?? others[0],
    }[role];
  }
}
