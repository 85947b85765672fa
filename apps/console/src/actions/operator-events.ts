import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { chainStart } from '@xs2a/event-store/streams/hash-chain';
import { isUniqueViolation } from '@xs2a/postgres/errors';
import { Clock } from '@xs2a/runtime/clock';
import type { DataSource, EntityManager } from 'typeorm';
import { type OperatorEvent, operatorHash } from './operator-chain.js';
import { OperatorEventEntity, type OperatorEventType } from './operator-event.entity.js';

/** An event as it is appended; its place in the chain and its time come from here. */
export interface NewOperatorEvent extends Omit<OperatorEvent, 'seq' | 'at' | 'type' | 'via'> {
  readonly type: OperatorEventType;
  readonly via: 'console' | 'command';
}

/** Everybody who appends takes this lock first, so that rows of several instances form one chain. */
const takeLock = `SELECT pg_advisory_xact_lock(hashtextextended('console.operator_event', 0))`;

/** The recorded actions, to which all instances of the console append. */
@Injectable()
export class OperatorEvents {
  private readonly clock = new Clock(false);

  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /**
   * Appends events in one transaction. Returns false, and stores nothing, if an action with the same id has already begun, or
   * has already ended.
   */
  async append(...events: readonly NewOperatorEvent[]): Promise<boolean> {
    try {
      await this.source.transaction(async (manager) => {
        await manager.query(takeLock);
        for (const event of events) await this.add(manager, event);
      });
      return true;
    } catch (error) {
      if (isRepeat(error)) return false;
      throw error;
    }
  }

  private async add(manager: EntityManager, event: NewOperatorEvent): Promise<void> {
    const [last] = await manager.find(OperatorEventEntity, { order: { seq: 'DESC' }, take: 1 });
    const prevHash = last?.hash ?? chainStart;
    const row = { ...event, seq: Number(last?.seq ?? 0) + 1, at: new Date(this.clock.nowMs()) };
    await manager.insert(OperatorEventEntity, { ...row, prevHash, hash: operatorHash(prevHash, row) });
  }
}

/** True if an action with this id has already begun, or has already ended. */
const isRepeat = (error: unknown): boolean =>
  isUniqueViolation(error) &&
  /^operator_event_(?:begin|end)$/.test(String(Reflect.get(Object(error), 'constraint')));
