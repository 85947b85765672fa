import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository, SelectQueryBuilder } from 'typeorm';
import { CallEntity } from '../calls/call.entity.js';
import type { CallFilter } from './call-filter.js';
import type { CallGroup } from './call-groups.js';

/** Milliseconds of calls in which refusals are grouped. */
const groupedMs = 24 * 3_600_000;
/** Rows on a page. */
export const pageSize = 100;

/** Finds calls for the pages. */
@Injectable()
export class CallList {
  constructor(@InjectRepository(CallEntity) private readonly calls: Repository<CallEntity>) {}

  /** Returns the newest calls that match, at most one page and one more. */
  async find(filter: CallFilter): Promise<readonly CallEntity[]> {
    const query = this.matching(filter);
    const { before } = filter;
    if (before !== undefined)
      query.andWhere('(call.at, call.callId) < (:beforeAt, :beforeId)', {
        beforeAt: before.at,
        beforeId: before.callId,
      });
    return query
      .orderBy('call.at', 'DESC')
      .addOrderBy('call.callId', 'DESC')
      .take(pageSize + 1)
      .getMany();
  }

  /** Returns the refused and failed calls of the last 24 hours that match, in groups, most frequent first. */
  async groups(filter: CallFilter, nowMs: number): Promise<readonly CallGroup[]> {
    return this.matching(filter)
      .andWhere('call.at > :since AND call.status >= 400', { since: new Date(nowMs - groupedMs) })
      .select('call.tppId', 'tppId')
      .addSelect('call.operation', 'operation')
      .addSelect('call.status', 'status')
      .addSelect('call.code', 'code')
      .addSelect('call.path', 'path')
      .addSelect('call.dependency', 'dependency')
      .addSelect('count(*)::int', 'calls')
      .addSelect('min(call.at)', 'firstAt')
      .addSelect('max(call.at)', 'lastAt')
      .groupBy('call.tppId, call.operation, call.status, call.code, call.path, call.dependency')
      .orderBy('count(*)', 'DESC')
      .limit(50)
      .getRawMany<CallGroup>();
  }

  /** Returns the calls with a request id, newest first: a client may repeat an id. */
  async withRequestId(requestId: string): Promise<readonly CallEntity[]> {
    return this.calls.find({ where: { requestId }, order: { at: 'DESC', callId: 'DESC' }, take: 20 });
  }

  private matching(filter: CallFilter): SelectQueryBuilder<CallEntity> {
    const query = this.calls.createQueryBuilder('call').where('TRUE');
    const { tpp, operation, code, path, dependency, resource, trace, status } = filter;
    const equal = { tppId: tpp, operation, code, path, dependency, resourceId: resource, traceId: trace };
    for (const [member, value] of Object.entries(equal))
      if (value !== undefined) query.andWhere(`call.${member} = :${member}`, { [member]: value });
    if (status === 'refused') query.andWhere('call.status BETWEEN 400 AND 498');
    else if (status === 'failed') query.andWhere('call.status >= 500');
    else if (status !== undefined) query.andWhere('call.status = :status', { status: Number(status) });
    return query;
  }
}
