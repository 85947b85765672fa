import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { type Failure, failures } from '@xs2a/domain/failure/failures';
import type { Logger } from '@xs2a/observability/logger';
import { LOGGER } from '@xs2a/runtime/tokens';
import type { DataSource } from 'typeorm';
import type { Staff } from '../staff/staff.js';
import { type Ask, findAction, type ListedAction } from './action-reader.js';
import type { Act } from './acts.js';
import {
  type DecisionRecorded,
  type NewDecision,
  type NewOperatorEvent,
  OperatorEvents,
} from './operator-events.js';
import { type Approvable, pendingText, TwoPeople } from './two-people.js';

/** Thrown by an action that changed nothing. The message is shown to the person and recorded, so it names no PSU. */
export class ActionRefused extends Error {
  override readonly name = 'ActionRefused';
}

/** What a person asked for with a form. */
export interface ActionRequest {
  /** The id that the form carries: a form that is sent twice acts once. */
  readonly actionId: string;
  readonly staff: Staff;
  readonly act: Act;
  readonly target: string;
  readonly reason: string;
}

/** What an operator asks for with the `xs2a` command. */
export interface RequestedByCommand {
  readonly actionId: string;
  readonly operator: string;
  readonly act: Act;
  readonly target: string;
  readonly reason: string;
}

/** What an operator did with the `xs2a` command. */
export interface DoneByCommand extends RequestedByCommand {
  readonly isDone: boolean;
  readonly outcome: string;
}

/** Runs the actions of the staff, and records each before and after it runs. */
@Injectable()
export class Actions {
  constructor(
    private readonly events: OperatorEvents,
    private readonly twoPeople: TwoPeople,
    @InjectDataSource() private readonly source: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Records the request, runs the action and records its outcome, one sentence that `run` returns. Nothing runs if the request
   * cannot be recorded, or if an action with the same id has begun before. An action that needs two people only waits, until
   * {@link decide} runs it.
   */
  async perform({ staff, ...request }: ActionRequest, run: () => Promise<string>): Promise<void> {
    const { subject, name, roles } = staff;
    const event = { ...request, via: 'console', staff: subject, name, roles } as const;
    if (this.twoPeople.isNeeded(request.act)) return this.wait(event);
    if (!(await this.events.append({ ...event, type: 'action-requested', outcome: null }))) return;
    await this.events.append({ ...event, ...(await this.outcomeOf(request, run)) });
  }

  /**
   * Records what an operator asks for with the command, if it needs two people. Returns false, and records nothing, if it does
   * not: the command then acts by itself.
   */
  async request({ operator, ...request }: RequestedByCommand): Promise<boolean> {
    if (!this.twoPeople.isNeeded(request.act)) return false;
    await this.wait({ ...request, via: 'command', staff: operator, name: operator, roles: [] });
    return true;
  }

  /** Records the decision of a second person and, if it is to approve, runs the action and records its outcome. */
  async decide(decision: NewDecision): Promise<DecisionRecorded> {
    const decided = await this.events.appendDecision(decision);
    if ('refused' in decided || decision.decision === 'refused') return decided;
    const { actionId, staff } = decision;
    const { subject, name, roles } = staff;
    const { target, reason } = decided.recorded;
    const act = decided.recorded.act as Act;
    const ended = await this.outcomeOf({ act, actionId }, async () =>
      this.mustFind(act).run({ actionId, target, reason }),
    );
    const person = { via: 'console', staff: subject, name, roles } as const;
    await this.events.append({ actionId, ...person, ...decided.recorded, ...ended });
    return decided;
  }

  /** Records what an operator did with the command. Of two records with the same id, the second is ignored. */
  async record({ operator, isDone, outcome, ...action }: DoneByCommand): Promise<void> {
    const event = { ...action, via: 'command', staff: operator, name: operator, roles: [] } as const;
    const type = isDone ? 'action-done' : 'action-failed';
    await this.events.append(
      { ...event, type: 'action-requested', outcome: null },
      { ...event, type, outcome },
    );
  }

  async find(actionId: string): Promise<ListedAction | undefined> {
    return findAction(this.ask, actionId);
  }

  /** Reads the recorded actions. */
  readonly ask: Ask = async <Row>(sql: string, values: unknown[]) => this.source.query<Row[]>(sql, values);

  private async wait(event: Omit<NewOperatorEvent, 'type' | 'outcome'>): Promise<void> {
    this.mustFind(event.act as Act);
    await this.events.append({ ...event, type: 'action-requested', outcome: pendingText });
  }

  private mustFind(act: Act): Approvable {
    const found = this.twoPeople.find(act);
    if (found === undefined) throw new Error(`${act} needs two people, and cannot run from its record`);
    return found;
  }

  private async outcomeOf(
    { act, actionId }: Pick<ActionRequest, 'act' | 'actionId'>,
    run: () => Promise<string>,
  ): Promise<Pick<NewOperatorEvent, 'type' | 'outcome'>> {
    try {
      return { type: 'action-done', outcome: await run() };
    } catch (error) {
      if (error instanceof ActionRefused) return { type: 'action-failed', outcome: error.message };
      if (error instanceof CallFailed) return { type: 'action-failed', outcome: failureText(error) };
      this.logger.error({ error, act, actionId }, 'an action of the staff failed');
      return { type: 'action-failed', outcome: 'Unexpected error. The log of the console says more.' };
    }
  }
}

const mayBeDone = 'The action may have been done all the same: check before you repeat it.';

/** Says in one sentence why a call failed, and what follows if a service did not answer. */
export const failureText = ({ failures: found }: CallFailed, ifDown = mayBeDone): string => {
  const down = found.find(({ failure }) => failure === 'dependencyDown');
  return down === undefined
    ? found.map(failureSentence).join(' ')
    : `${down.dependency ?? 'A service'} did not answer. ${ifDown}`;
};

const failureSentence = ({ failure, path, text }: Failure): string =>
  `${path === undefined ? '' : `${path}: `}${text ?? failures[failure][2]}`;
