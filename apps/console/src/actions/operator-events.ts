import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { chainStart } from '@xs2a/event-store/streams/hash-chain';
import { isUniqueViolation } from '@xs2a/postgres/errors';
import { Clock } from '@xs2a/runtime/clock';
import type { DataSource, EntityManager } from 'typeorm';
import type { Staff } from '../staff/staff.js';
import { type OperatorEvent, operatorHash } from './operator-chain.js';
import { OperatorEventEntity, type OperatorEventType } from './operator-event.entity.js';
import { approvalMs } from './two-people.js';

/** An event as it is appended; its place in the chain and its time come from here. */
export interface NewOperatorEvent extends Omit<OperatorEvent, 'seq' | 'at' | 'type' | 'via'> {
  readonly type: OperatorEventType;
  readonly via: 'console' | 'command';
}

/** What became of a reveal that was to be recorded. */
export type RevealRecorded =
  | { readonly recorded: { readonly left: number } }
  /** An action with the same id has begun before. */
  | { readonly refused: 'repeated' }
  /** The person has revealed {@link revealsAnHour} times within an hour; the next is possible at this time. */
  | { readonly refused: 'quota'; readonly until: Date };

/** The most that one person may reveal within an hour of real time, over all instances, pages and the command. */
export const revealsAnHour = 20;
const hourMs = 60 * 60 * 1000;

/**
 * Selects the reveals that a person made since a time, oldest first. The `xs2a` command does not authenticate its user: it sends
 * a name that nobody verified. All reveals by command therefore count towards one quota.
 */
const selectReveals = `SELECT at FROM operator_event WHERE type = 'revealed' AND at > $1
  AND (staff = $2 OR lower(name) = lower($3) OR via = 'command' AND $4 = 'command') ORDER BY at`;

/** What a second person decides on a request. */
export interface NewDecision {
  readonly actionId: string;
  readonly staff: Staff;
  readonly decision: 'approved' | 'refused';
  readonly reason: string;
}

/** The request that was decided on; or why this person cannot decide on it. */
export type DecisionRecorded =
  | { readonly recorded: Pick<OperatorEvent, 'act' | 'target' | 'reason'> }
  | { readonly refused: 'unknown' | 'own' | 'decided' | 'expired' };

interface Waiting extends Pick<OperatorEvent, 'at' | 'staff' | 'name' | 'act' | 'target' | 'reason'> {
  readonly isDecided: boolean;
}

/** Only a request that waits has an outcome. */
const selectWaiting = `SELECT at, staff, name, act, target, reason, EXISTS (SELECT FROM operator_event AS decided
    WHERE decided.action_id = begun.action_id AND decided.type IN ('approved', 'refused')) AS "isDecided"
  FROM operator_event AS begun WHERE action_id = $1 AND type = 'action-requested' AND outcome IS NOT NULL`;

const isSameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Rolls a reveal back. */
class QuotaReached extends Error {
  constructor(readonly until: Date) {
    super();
  }
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
      await this.inTurn(async (manager) => {
        for (const event of events) await this.add(manager, event);
      });
      return true;
    } catch (error) {
      if (isRepeat(error)) return false;
      throw error;
    }
  }

  /**
   * Appends a reveal, unless the person has reached {@link revealsAnHour}. The lock of the chain makes it one decision over all
   * instances.
   */
  async appendReveal(event: Omit<NewOperatorEvent, 'type' | 'outcome'>): Promise<RevealRecorded> {
    try {
      return await this.inTurn(async (manager) => {
        await this.add(manager, { ...event, type: 'revealed', outcome: null });
        const since = new Date(this.clock.nowMs() - hourMs);
        const made = await manager.query<{ at: Date }[]>(selectReveals, [
          since,
          event.staff,
          event.name,
          event.via,
        ]);
        const left = revealsAnHour - made.length;
        if (left < 0) throw new QuotaReached(new Date((made[-left - 1]?.at ?? since).getTime() + hourMs));
        return { recorded: { left } };
      });
    } catch (error) {
      if (error instanceof QuotaReached) return { refused: 'quota', until: error.until };
      if (isRepeat(error)) return { refused: 'repeated' };
      throw error;
    }
  }

  /**
   * Appends the decision of a second person on a request that waits. The lock of the chain makes it the only one. Nobody decides
   * on a request of their own, whatever their roles; the command has no subject, so names are compared too.
   */
  async appendDecision({ actionId, staff, decision, reason }: NewDecision): Promise<DecisionRecorded> {
    return this.inTurn(async (manager) => {
      const [waiting] = await manager.query<Waiting[]>(selectWaiting, [actionId]);
      if (waiting === undefined) return { refused: 'unknown' };
      if (waiting.staff === staff.subject || isSameName(waiting.name, staff.name)) return { refused: 'own' };
      if (waiting.isDecided) return { refused: 'decided' };
      if (waiting.at.getTime() + approvalMs <= this.clock.nowMs()) return { refused: 'expired' };
      const { act, target } = waiting;
      const { subject, name, roles } = staff;
      const person = { via: 'console', staff: subject, name, roles } as const;
      await this.add(manager, { actionId, ...person, act, target, reason, type: decision, outcome: null });
      return { recorded: { act, target, reason: waiting.reason } };
    });
  }

  /** Runs a change of the chain, while no other instance changes it. */
  private async inTurn<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return this.source.transaction(async (manager) => {
      await manager.query(takeLock);
      return work(manager);
    });
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
