import { Controller, Inject } from '@nestjs/common';
import { mustBeLimit } from '@xs2a/calls/checks';
import { Handles } from '@xs2a/calls/handles';
import { discardDeadLetter, listDeadLetters, requestReplay } from '@xs2a/consumers/dead-letters';
import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import {
  discardSettlementLetter,
  listSettlementLetters,
  replaySettlementLetter,
  type SettlementLetterRef,
} from '@xs2a/contracts/settlement.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import { masked } from '@xs2a/resources/masking';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';

const maxLetters = 100;

/** Shows the events that the worker could not handle, and repairs them. Every instance does it: the table is shared. */
@Controller()
export class LettersController {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  @Handles(listSettlementLetters)
  async list({
    limit,
  }: RequestOf<typeof listSettlementLetters>): Promise<AnswerOf<typeof listSettlementLetters>> {
    mustBeLimit(limit, maxLetters);
    const letters = await listDeadLetters(this.pool, limit);
    return {
      letters: letters.map(({ body, addedAt, ...letter }) => ({
        ...letter,
        addedAt: addedAt.toISOString(),
        event: maskedText(body),
      })),
    };
  }

  @Handles(replaySettlementLetter)
  async replay(letter: SettlementLetterRef): Promise<AnswerOf<typeof replaySettlementLetter>> {
    mustBeLetter(letter);
    return { requested: await requestReplay(this.pool, letter) };
  }

  @Handles(discardSettlementLetter)
  async discard(letter: SettlementLetterRef): Promise<AnswerOf<typeof discardSettlementLetter>> {
    mustBeLetter(letter);
    return { discarded: await discardDeadLetter(this.pool, letter) };
  }
}

const maskedText = (body: string): string | null => {
  try {
    return JSON.stringify(masked(JSON.parse(body)), undefined, 2);
  } catch {
    return null;
  }
};

const mustBeLetter = ({ consumer, pos }: Readonly<Record<keyof SettlementLetterRef, unknown>>): void => {
  if (typeof consumer !== 'string' || !/^[\w.-]{1,100}$/.test(consumer))
    throw callFailed('fieldMalformed', 'consumer', 'Send the name of a consumer.');
  if (!Number.isSafeInteger(pos)) throw callFailed('fieldMalformed', 'pos', 'Send a position.');
};
