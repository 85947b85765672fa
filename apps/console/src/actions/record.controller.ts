import { Controller } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import type { RequestOf } from '@xs2a/contracts/call';
import { recordAction } from '@xs2a/contracts/console.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import { namesPerson } from '@xs2a/domain/text/reason';
import { isMaxText } from '@xs2a/domain/text/text';
import { Actions } from './actions.js';
import { type Act, isAct, isActionId } from './acts.js';
import { PsuTags } from './psu-tags.js';

/** Takes what operators did with the `xs2a` command. */
@Controller()
export class RecordController {
  constructor(
    private readonly actions: Actions,
    private readonly tags: PsuTags,
  ) {}

  @Handles(recordAction)
  async record({ psuId, target, ...action }: RequestOf<typeof recordAction>): Promise<Record<string, never>> {
    const { actionId, act, operator, reason, outcome } = action;
    if (!isActionId(actionId)) throw callFailed('fieldMalformed', 'actionId', 'Send a UUID.');
    if (!isAct(act)) throw callFailed('fieldMalformed', 'act', 'Send a known action.');
    if (!isMaxText(operator, 100))
      throw callFailed('fieldMalformed', 'operator', 'Send 1 to 100 characters.');
    if (!isMaxText(outcome, 500)) throw callFailed('fieldMalformed', 'outcome', 'Send 1 to 500 characters.');
    const psuIds = psuId === undefined ? [] : [psuId];
    if (!isMaxText(reason, 500) || namesPerson(reason, { psuIds, ibans: [] }))
      throw callFailed('fieldMalformed', 'reason', 'Send 1 to 500 characters that name no person.');
    const isDone = action.isDone === true;
    await this.actions.record({ ...action, act, isDone, target: this.targetOf(act, psuId, target) });
    return {};
  }

  /** Only a lifted lock has a PSU as its target, which is recorded as a tag. */
  private targetOf(act: Act, psuId: unknown, target: unknown): string {
    if (act !== 'lift-sca-lock') {
      if (isMaxText(target, 255) && psuId === undefined) return target;
      throw callFailed('fieldMalformed', 'target', 'Send 1 to 255 characters, and no PSU-ID.');
    }
    if (isMaxText(psuId, 64) && target === undefined) return this.tags.of(psuId);
    throw callFailed('fieldMalformed', 'psuId', 'Send 1 to 64 characters, and no target.');
  }
}
