import { Controller } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import type { RequestOf } from '@xs2a/contracts/call';
import { recordAction } from '@xs2a/contracts/console.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import { namesPerson } from '@xs2a/domain/text/reason';
import { isMaxText } from '@xs2a/domain/text/text';
import { Actions } from './actions.js';
import { acts, isActionId } from './acts.js';
import { PsuTags } from './psu-tags.js';

/** Takes what operators did with the `xs2a` command. */
@Controller()
export class RecordController {
  constructor(
    private readonly actions: Actions,
    private readonly tags: PsuTags,
  ) {}

  @Handles(recordAction)
  async record({ psuId, ...action }: RequestOf<typeof recordAction>): Promise<Record<string, never>> {
    const { actionId, act, operator, reason, outcome } = action;
    if (!isActionId(actionId)) throw callFailed('fieldMalformed', 'actionId', 'Send a UUID.');
    if (!Object.hasOwn(acts, act)) throw callFailed('fieldMalformed', 'act', 'Send a known action.');
    if (!isMaxText(psuId, 64)) throw callFailed('fieldMalformed', 'psuId', 'Send 1 to 64 characters.');
    if (!isMaxText(operator, 100))
      throw callFailed('fieldMalformed', 'operator', 'Send 1 to 100 characters.');
    if (!isMaxText(outcome, 500)) throw callFailed('fieldMalformed', 'outcome', 'Send 1 to 500 characters.');
    if (!isMaxText(reason, 500) || namesPerson(reason, { psuIds: [psuId], ibans: [] }))
      throw callFailed('fieldMalformed', 'reason', 'Send 1 to 500 characters that name no person.');
    await this.actions.record({ ...action, isDone: action.isDone === true, target: this.tags.of(psuId) });
    return {};
  }
}
