import { Inject, Injectable } from '@nestjs/common';
import { CallFailed } from '@xs2a/domain/failure/failed';
import type { Logger } from '@xs2a/observability/logger';
import { LOGGER } from '@xs2a/runtime/tokens';
import type { Staff } from '../staff/staff.js';
import { ActionRefused, failureText } from './actions.js';
import type { Act } from './acts.js';
import { type NewOperatorEvent, OperatorEvents, revealsAnHour } from './operator-events.js';

/** Who asks to see personal data, and why. */
export interface RevealRequest {
  /** The id that the form or the command carries: of two requests with the same id, the second shows nothing. */
  readonly actionId: string;
  /** A person who signed in, or the name that was given to the `xs2a` command. */
  readonly by: Staff | { readonly operator: string };
  readonly act: Act;
  /** What is shown: ids and names of fields, never a value. */
  readonly target: string;
  readonly reason: string;
}

/** What a reveal shows, and how many more the person may make within the hour; or the sentence that says why it shows nothing. */
export type Revealed<Shown> = { readonly shown: Shown; readonly left: number } | { readonly refused: string };

/** What is shown and, if the record should say more than that, one sentence that names nobody. */
interface Read<Shown> {
  readonly shown: Shown;
  readonly outcome?: string;
}

const nothingShown = 'Nothing was shown.';

/** Shows personal data to the staff: each time is recorded before the data are read, and counts towards {@link revealsAnHour}. */
@Injectable()
export class Reveals {
  constructor(
    private readonly events: OperatorEvents,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Records the reveal, then reads. A read that fails is recorded as failed, and counts all the same. */
  async reveal<Shown>(request: RevealRequest, read: () => Promise<Read<Shown>>): Promise<Revealed<Shown>> {
    const { by, ...others } = request;
    const event = { ...others, ...toPerson(by) };
    const result = await this.events.appendReveal(event);
    if ('refused' in result)
      return {
        refused:
          result.refused === 'quota'
            ? quotaText(event.via, result.until)
            : 'This request was already answered. To see the data again, ask again.',
      };
    try {
      const { shown, outcome } = await read();
      if (outcome !== undefined) await this.events.append({ ...event, type: 'action-done', outcome });
      return { shown, left: result.recorded.left };
    } catch (error) {
      const outcome = this.failureOf(error, request);
      await this.events.append({ ...event, type: 'action-failed', outcome });
      return { refused: outcome };
    }
  }

  private failureOf(error: unknown, { act, actionId }: RevealRequest): string {
    if (error instanceof ActionRefused) return error.message;
    if (error instanceof CallFailed) return failureText(error, nothingShown);
    this.logger.error({ error, act, actionId }, 'a reveal failed');
    return 'Unexpected error. The log of the console says more.';
  }
}

const toPerson = (by: RevealRequest['by']): Pick<NewOperatorEvent, 'via' | 'staff' | 'name' | 'roles'> =>
  'operator' in by
    ? { via: 'command', staff: by.operator, name: by.operator, roles: [] }
    : { via: 'console', staff: by.subject, name: by.name, roles: by.roles };

const quotaText = (via: NewOperatorEvent['via'], until: Date): string =>
  `${via === 'command' ? 'Commands' : 'You'} have revealed data ${revealsAnHour} times within an hour. You can reveal again at ${until.toISOString().slice(11, 19)} UTC.`;
