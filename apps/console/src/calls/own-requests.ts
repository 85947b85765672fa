import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import type { listRequests, OwnRequest, readRequest, RequestDetails } from '@xs2a/contracts/console.contract';
import { ownReads } from '@xs2a/contracts/sandbox/own-reads';
import { callFailed } from '@xs2a/domain/failure/failed';
import type { FailureName } from '@xs2a/domain/failure/failures';
import { Clock } from '@xs2a/runtime/clock';
import { In, MoreThanOrEqual, Repository } from 'typeorm';
import { CallContentEntity } from './call-content.entity.js';
import { CallEntity } from './call.entity.js';

const dayMs = 24 * 60 * 60 * 1000;
/** The calls with one X-Request-ID that are shown, so that their bodies fit into one message. */
const maxDetails = 5;
/** The characters of the calls on a page with headers and bodies, which are smaller than a message of NATS by half. */
const maxPageLength = 1_000_000;

/** The position of a call in the order of time: `<epoch milliseconds>-<call id>`. */
const cursorForm = /^(\d{1,15})-(\d{1,15})$/;
const toCursor = ({ at, callId }: CallEntity): string => `${at.getTime()}-${callId}`;

/** The calls of one TPP. */
@Injectable()
export class OwnRequests {
  constructor(
    @InjectRepository(CallEntity) private readonly calls: Repository<CallEntity>,
    @InjectRepository(CallContentEntity) private readonly contents: Repository<CallContentEntity>,
    private readonly clock: Clock,
  ) {}

  /** Lists the TPP's calls of the last 24 hours but {@link ownReads}, newest first. Throws CallFailed for a cursor that is not `next` of a page. */
  async list({
    tppId,
    limit,
    before,
    withContent = false,
  }: RequestOf<typeof listRequests>): Promise<AnswerOf<typeof listRequests>> {
    const query = this.calls
      .createQueryBuilder('call')
      .where('call.tppId = :tppId', { tppId })
      .andWhere('call.at >= :since', { since: this.since })
      .andWhere('call.operation NOT IN (:...ownReads)', { ownReads })
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
    const requests = withContent ? withinLength(await this.withContents(page)) : page.map(toRequest);
    const last = found.length > requests.length ? page[requests.length - 1] : undefined;
    return { requests, next: last && toCursor(last) };
  }

  /**
   * Returns the TPP's calls of the last 24 hours with an X-Request-ID, newest first, with what was sent. Throws CallFailed
   * if there are none.
   */
  async read({ tppId, requestId }: RequestOf<typeof readRequest>): Promise<AnswerOf<typeof readRequest>> {
    const at = MoreThanOrEqual(this.since);
    const calls = await this.calls.find({
      where: { tppId, requestId, at },
      order: { at: 'DESC', callId: 'DESC' },
      take: maxDetails,
    });
    if (calls.length === 0) throw callFailed('resourceUnknown');
    return { requests: await this.withContents(calls) };
  }

  private async withContents(calls: readonly CallEntity[]): Promise<readonly RequestDetails[]> {
    const contents = await this.contents.findBy({ callId: In(calls.map(({ callId }) => callId)) });
    return calls.map((call) => {
      const content = contents.find(({ callId }) => callId === call.callId);
      const failure = (call.failure ?? undefined) as FailureName | undefined;
      return { ...toRequest(call), failure, request: content?.request, response: content?.response };
    });
  }

  /** The time of the oldest calls that are shown. */
  private get since(): Date {
    return new Date(this.clock.realMs - dayMs);
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

/** As many of the calls as fit into a page, and at least one. */
const withinLength = (calls: readonly RequestDetails[]): readonly RequestDetails[] => {
  let length = 0;
  const end = calls.findIndex((call) => {
    length += JSON.stringify(call).length;
    return length > maxPageLength;
  });
  return end < 0 ? calls : calls.slice(0, Math.max(1, end));
};
