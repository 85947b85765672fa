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

/** The most groups of refused and failed calls. */
export const maxGroups = 50;

/** The calls that match. */
export interface FoundCalls {
  /** The newest, at most one page and one more. */
  readonly calls: readonly CallEntity[];
  /** Older calls were not searched; undefined if all were. */
  readonly searchedFrom: Date | undefined;
}

/** True if an index finds the calls of a TPP, resource or trace, or if every call matches. */
const isIndexed = ({
  tpp,
  resource,
  trace,
  operation,
  code,
  path,
  dependency,
  status,
}: CallFilter): boolean =>
  [tpp, resource, trace].some((value) => value !== undefined) ||
  [operation, code, path, dependency, status].every((value) => value === undefined);

/** Finds calls for the pages. */
@Injectable()
export class CallList {
  constructor(@InjectRepository(CallEntity) private readonly calls: Repository<CallEntity>) {}

  /**
   * Returns the newest calls that match, at most one page and one more. A search that no index answers reads 24 hours, back from
   * now or from `before`.
   */
  async find(filter: CallFilter, nowMs: number): Promise<FoundCalls> {
    const query = this.matching(filter);
    const { before } = filter;
    const searchedFrom = isIndexed(filter)
      ? undefined
      : new Date((before?.at.getTime() ?? nowMs) - groupedMs);
    if (searchedFrom !== undefined) query.andWhere('call.at > :searchedFrom', { searchedFrom });
    if (before !== undefined)
      query.andWhere('(call.at, call.callId) < (:beforeAt, :beforeId)', {
        beforeAt: before.at,
        beforeId: before.callId,
      });
    const calls = await query
      .orderBy('call.at', 'DESC')
      .addOrderBy('call.callId', 'DESC')
      .take(pageSize + 1)
      .getMany();
    return { calls, searchedFrom };
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
      .limit(maxGroups)
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
