import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of the table `call_batch`: a batch that has been stored. */
@Entity('call_batch')
export class CallBatchEntity {
  @PrimaryColumn('uuid', { name: 'batch_id', primaryKeyConstraintName: 'call_batch_pkey' })
  batchId!: string;

  @Column('timestamptz', { name: 'recorded_at' })
  recordedAt!: Date;
}
