import { Controller } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import { countGrants } from '@xs2a/contracts/auth.contract';
import { isMaxText } from '@xs2a/domain/text/text';
import { callFailed } from '@xs2a/domain/failure/failed';
import { GrantBindings } from './grant-bindings.js';

/** Counts grants for the bank's operators. No answer says which PSU gave one. */
@Controller()
export class GrantsController {
  constructor(private readonly bindings: GrantBindings) {}

  @Handles(countGrants)
  async count({ clientId }: RequestOf<typeof countGrants>): Promise<AnswerOf<typeof countGrants>> {
    if (!isMaxText(clientId, 255))
      throw callFailed('fieldMalformed', 'clientId', 'Send 1 to 255 characters.');
    return { grants: await this.bindings.count(clientId) };
  }
}
