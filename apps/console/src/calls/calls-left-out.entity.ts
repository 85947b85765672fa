import type { LeftOutReason } from '@xs2a/contracts/console.contract';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

const primaryKeyConstraintName = 'calls_left_out_pkey';

/** A row of the table `calls_left_out`: a number of calls that have no row in `call`. */
@Entity('calls_left_out')
export class CallsLeftOutEntity {
  @PrimaryColumn('uuid', { name: 'batch_id', primaryKeyConstraintName })
  batchId!: string;

  /** Empty for calls without a valid token. */
  @PrimaryColumn('text', { name: 'tpp_id', primaryKeyConstraintName })
  tppId!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName })
  reason!: LeftOutReason;

  @Column('int')
  calls!: number;

  @Column('timestamptz')
  since!: Date;

  @Index('calls_left_out_until')
  @Column('timestamptz')
  until!: Date;
}
