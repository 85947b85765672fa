import { Controller } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import type { RequestOf } from '@xs2a/contracts/call';
import { requestAction } from '@xs2a/contracts/console/approval.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import { Actions } from './actions.js';
import { isAct } from './acts.js';
import { mustBeOperatorRequest } from './operator-request.js';
import { TwoPeople } from './two-people.js';

/** Takes what operators ask for with the `xs2a` command, and a second person must approve. */
@Controller()
export class RequestController {
  constructor(
    private readonly actions: Actions,
    private readonly twoPeople: TwoPeople,
  ) {}

  @Handles(requestAction)
  async request(request: RequestOf<typeof requestAction>): Promise<{ readonly waits: boolean }> {
    mustBeOperatorRequest(request);
    const { actionId, act, target, operator, reason } = request;
    if (typeof act !== 'string' || !isAct(act))
      throw callFailed('fieldMalformed', 'act', 'Send a known action.');
    const approvable = this.twoPeople.find(act);
    if (approvable === undefined && this.twoPeople.isNeeded(act))
      throw callFailed(
        'fieldMalformed',
        'act',
        'This action needs two people, and the console has no pages.',
      );
    if (approvable !== undefined && (typeof target !== 'string' || !approvable.isTarget(target)))
      throw callFailed('fieldMalformed', 'target', 'Send what the action is to change.');
    return { waits: await this.actions.request({ actionId, act, target, operator, reason }) };
  }
}
