import { Controller } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import { approvalsByCommand } from '@xs2a/contracts/console/waiting-approvals.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import { isMaxText } from '@xs2a/domain/text/text';
import { mustBeOperatorRequest } from '../actions/operator-request.js';
import { OpenApprovals } from './open-approvals.js';

/** Handles xs2a psu approvals: returns what waits for the approval of a PSU. */
@Controller()
export class ApprovalsByCommandController {
  constructor(private readonly approvals: OpenApprovals) {}

  @Handles(approvalsByCommand)
  async find({
    psuId,
    actionId,
    operator,
    reason,
  }: RequestOf<typeof approvalsByCommand>): Promise<AnswerOf<typeof approvalsByCommand>> {
    if (!isMaxText(psuId, 64)) throw callFailed('fieldMalformed', 'psuId', 'Send 1 to 64 characters.');
    mustBeOperatorRequest({ actionId, operator, reason }, [psuId]);
    const revealed = await this.approvals.find(psuId, { actionId, by: { operator }, reason });
    return 'refused' in revealed ? revealed : { ...revealed.shown, left: revealed.left };
  }
}
