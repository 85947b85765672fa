import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import type { listRequests, OwnRequest } from '@xs2a/contracts/console.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import { Repository } from 'typeorm';
import { CallDays } from './call-days.js';
import { CallEntity } from './call.entity.js';

const dayMs = 24 * 60 * 60 * 1000;

/** The position of a call in the order of time: `<epoch milliseconds>-<call id>`. */
const cursorForm = /^(\d{1,15})-(\d{1,15})$/;
const toCursor = ({ at, callId }: CallEntity): string => `${at.getTime()}-${callId}`;

/** The calls of one TPP. */
@Injectable()
export class OwnRequests {
  constructor(
    @InjectRepository(CallEntity) private readonly calls: Repository<CallEntity>,
    private readonly days: CallDays,
  ) {}

  /** Lists the TPP's calls of the last 24 hours, newest first. Throws CallFailed for a cursor that is not `next` of a page. */
  async list({
    tppId,
    limit,
    before,
  }: RequestOf<typeof listRequests>): Promise<AnswerOf<typeof listRequests>> {
    const query = this.calls
      .createQueryBuilder('call')
      .where('call.tppId = :tppId', { tppId })
      .andWhere('call.at >= :since', { since: new Date(this.days.realMs - dayMs) })
      .orderBy('call.at', 'DESC')
      .addOrderBy('call.callId', 'DESC')
      // One more than the page, to find out whether there is a next page.
      .limit(limit + 1);
    if (before !== undefined) {
      const [, atMs, callId] = cursorForm.exec(before) ?? [];
      if (atMs === undefined)
        throw callFailed('fieldMalformed', 'cursor', 'Use a link from an earlier page unchanged.');
      query.andWhere('(call.at, call.callId) < (:at, :callId)', { at: new Date(Number(atMs)), callId });
    }
    const found = await query.getMany();
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    return { requests: page.map(toRequest), next: last && toCursor(last) };
  }
}

const toRequest = ({ at, operation, status, code, path, requestId }: CallEntity): OwnRequest => ({
  time: at.toISOString(),
  operation,
  status,
  code: code ?? undefined,
  path: path ?? undefined,
  requestId,
});
