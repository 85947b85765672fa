import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Clock } from '@xs2a/runtime/clock';
import { type DataSource, MoreThan } from 'typeorm';
import { certificateKeptMs, TppCertificateEntity } from '../calls/tpp-certificate.entity.js';

/** The certificate that a TPP presented in its latest call. */
export interface TppCertificate {
  readonly tppId: string;
  readonly endsAt: Date;
  /** Milliseconds until it ends by the bank's clock, which refuses it then; negative if it has ended. */
  readonly leftMs: number;
  /** Real time. */
  readonly seenAt: Date;
}

const dayMs = 24 * 60 * 60 * 1000;

/** When it ends or ended: `ends in 5 days (2026-12-02)`. */
export const endOf = ({ endsAt, leftMs }: Pick<TppCertificate, 'endsAt' | 'leftMs'>): string => {
  const day = endsAt.toISOString().slice(0, 10);
  if (leftMs < 0) return `ended on ${day}`;
  const days = Math.floor(leftMs / dayMs);
  return `ends in ${days === 0 ? 'less than a day' : days === 1 ? '1 day' : `${days} days`} (${day})`;
};

/** The certificates of TPPs that called within 30 days. */
@Injectable()
export class TppCertificates {
  constructor(
    @InjectDataSource() private readonly source: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Returns them in the order of their ends. */
  async list(): Promise<readonly TppCertificate[]> {
    const rows = await this.source.manager.find(TppCertificateEntity, {
      where: { seenAt: MoreThan(new Date(this.clock.realMs - certificateKeptMs)) },
      order: { endsAt: 'ASC', tppId: 'ASC' },
    });
    const nowMs = this.clock.nowMs();
    return rows.map(({ tppId, endsAt, seenAt }) => ({
      tppId,
      endsAt,
      leftMs: endsAt.getTime() - nowMs,
      seenAt,
    }));
  }

  /** Returns them by client id. */
  async byTpp(): Promise<ReadonlyMap<string, TppCertificate>> {
    return new Map((await this.list()).map((certificate) => [certificate.tppId, certificate]));
  }
}
