import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { mustBeId, mustBeLimit } from '@xs2a/calls/checks';
import { QueryOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import { type ListedConsent, listConsentsOfBank } from '@xs2a/contracts/consents.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import { isMaxText } from '@xs2a/domain/text/text';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';

interface Row extends Omit<ListedConsent, 'lastUsedAt'> {
  readonly lastUsedAt: Date | null;
}

/** An id that sorts after every UUIDv7. */
const newestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const selected = `SELECT stream_id AS "consentId", tpp_id AS "tppId", status, recurring, last_used_at AS "lastUsedAt"
  FROM consent_view LEFT JOIN consent_use ON consent_id = stream_id`;

/** The console's page Consents. */
export class ListConsentsOfBank extends QueryOf(listConsentsOfBank) {}

/** Lists the consents of all TPPs or of one, newest first, without personal data. */
@QueryHandler(ListConsentsOfBank)
export class ListConsentsOfBankHandler implements IQueryHandler<ListConsentsOfBank> {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  async execute({
    request: { tppId, before = newestId, limit },
  }: ListConsentsOfBank): Promise<AnswerOf<typeof listConsentsOfBank>> {
    mustBeLimit(limit);
    mustBeId(before, 'before');
    if (tppId !== undefined && !isMaxText(tppId, 255))
      throw callFailed('fieldMalformed', 'tppId', 'Send 1 to 255 characters.');
    const order = 'ORDER BY stream_id DESC LIMIT $2';
    const { rows } =
      tppId === undefined
        ? await this.pool.query<Row>(`${selected} WHERE stream_id < $1 ${order}`, [before, limit])
        : await this.pool.query<Row>(`${selected} WHERE stream_id < $1 AND tpp_id = $3 ${order}`, [
            before,
            limit,
            tppId,
          ]);
    return {
      consents: rows.map(({ lastUsedAt, ...row }) => ({
        ...row,
        lastUsedAt: lastUsedAt?.toISOString(),
      })),
    };
  }
}
