import { Controller } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import { liftScaLock, readPsuSca } from '@xs2a/contracts/auth.contract';
import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import { callFailed } from '@xs2a/domain/failure/failed';
import { isMaxText } from '@xs2a/domain/text/text';
import { ScaUnlocks } from './sign-in/sca-unlocks.js';

/** A PSU's SCA lock, for the bank's operator (docs/runbooks/sca-locked.md). */
@Controller()
export class PsuController {
  constructor(private readonly unlocks: ScaUnlocks) {}

  @Handles(readPsuSca)
  async read({ psuId }: RequestOf<typeof readPsuSca>): Promise<AnswerOf<typeof readPsuSca>> {
    return { psu: await this.unlocks.read(psuIdIn(psuId)) };
  }

  @Handles(liftScaLock)
  async lift({
    psuId,
    operator,
    reason,
  }: RequestOf<typeof liftScaLock>): Promise<AnswerOf<typeof liftScaLock>> {
    const named = psuIdIn(psuId);
    if (!isMaxText(operator, 100))
      throw callFailed('fieldMalformed', 'operator', 'Send 1 to 100 characters.');
    if (!isMaxText(reason, 500)) throw callFailed('fieldMalformed', 'reason', 'Send 1 to 500 characters.');
    return { lifted: await this.unlocks.lift(named, { operator, reason }) };
  }
}

/** Returns the PSU-ID as the sign-in form reads it. Throws CallFailed if it cannot be a PSU-ID. */
const psuIdIn = (psuId: unknown): string => {
  const text = typeof psuId === 'string' ? psuId.trim() : '';
  if (!isMaxText(text, 64)) throw callFailed('fieldMalformed', 'psuId', 'Send 1 to 64 characters.');
  return text;
};
