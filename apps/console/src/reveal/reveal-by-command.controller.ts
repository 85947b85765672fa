import { Controller } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import { mustBeId } from '@xs2a/calls/checks';
import type { RequestOf } from '@xs2a/contracts/call';
import { revealByCommand, type RevealedByCommand } from '@xs2a/contracts/console/reveal.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import { mustBeOperatorRequest } from '../actions/operator-request.js';
import { readWanted, RevealFields } from './reveal-fields.js';

/** Reveals a field to an operator who asks with the `xs2a` command. */
@Controller()
export class RevealByCommandController {
  constructor(private readonly fields: RevealFields) {}

  @Handles(revealByCommand)
  async reveal({
    kind,
    id,
    field,
    entry = 1,
    ...request
  }: RequestOf<typeof revealByCommand>): Promise<RevealedByCommand> {
    mustBeOperatorRequest(request);
    mustBeId(id);
    const { actionId, operator, reason } = request;
    const wanted = readWanted(kind, { id, field, entry });
    if (wanted === undefined)
      throw callFailed('fieldMalformed', 'field', 'Send a field that can be revealed.');
    const revealed = await this.fields.reveal(wanted, { actionId, by: { operator }, reason });
    return 'refused' in revealed ? revealed : { values: revealed.shown, left: revealed.left };
  }
}
