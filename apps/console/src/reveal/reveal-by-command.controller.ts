import { Controller } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import { mustBeId } from '@xs2a/calls/checks';
import type { RequestOf } from '@xs2a/contracts/call';
import type { FoundPayments } from '@xs2a/contracts/console/payment-search.contract';
import {
  revealByCommand,
  type RevealedByCommand,
  searchByCommand,
} from '@xs2a/contracts/console/reveal.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import { isMaxText } from '@xs2a/domain/text/text';
import { isIsoDate } from '@xs2a/domain/time/bank-calendar';
import { mustBeOperatorRequest } from '../actions/operator-request.js';
import { isClientId } from '../tpps/client-id.js';
import { EncryptedSearch, type WantedPayments } from './encrypted-search.js';
import { readWanted, RevealFields } from './reveal-fields.js';

/** Reveals a field, or searches in encrypted data, for an operator who asks with the `xs2a` command. */
@Controller()
export class RevealByCommandController {
  constructor(
    private readonly fields: RevealFields,
    private readonly encrypted: EncryptedSearch,
  ) {}

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

  @Handles(searchByCommand)
  async search({
    actionId,
    operator,
    reason,
    ...wanted
  }: RequestOf<typeof searchByCommand>): Promise<
    { readonly found: FoundPayments; readonly left: number } | { readonly refused: string }
  > {
    const { psuId, payee, endToEndId } = wanted;
    mustBeOperatorRequest(
      { actionId, operator, reason },
      [psuId, payee, endToEndId].filter((name) => typeof name === 'string'),
    );
    mustBeTarget(wanted);
    const revealed = await this.encrypted.find(wanted, { actionId, by: { operator }, reason });
    return 'refused' in revealed ? revealed : { found: revealed.shown, left: revealed.left };
  }
}

/** The record contains the TPP and the day. payments checks them too, but after they were recorded. */
const mustBeTarget = ({ tppId, psuId, day }: WantedPayments): void => {
  const isOne = tppId === undefined ? isMaxText(psuId, 64) : psuId === undefined && isClientId(tppId);
  if (!isOne || !isIsoDate(day))
    throw callFailed('fieldMalformed', undefined, 'Send either a TPP or a PSU, and a date.');
};
