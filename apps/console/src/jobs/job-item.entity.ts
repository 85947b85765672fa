import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { JobEntity } from './job.entity.js';

/** `nothing-to-do`: it was not in need of the action any more; `refused`: its service refused. */
export type ItemOutcome = 'done' | 'nothing-to-do' | 'refused';

/** One of the things that a job acts on. */
@Entity('job_item')
@Check('job_item_outcome_check', "outcome IN ('done', 'nothing-to-do', 'refused')")
@Index('job_item_open', ['jobId', 'number'], { where: 'outcome IS NULL' })
export class JobItemEntity {
  @PrimaryColumn('uuid', { name: 'job_id', primaryKeyConstraintName: 'job_item_pkey' })
  jobId!: string;

  @ManyToOne(() => JobEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'job_id', foreignKeyConstraintName: 'job_item_job_id_fkey' })
  job?: JobEntity;

  /** From 1, in the order in which items are handled. */
  @PrimaryColumn('int', { primaryKeyConstraintName: 'job_item_pkey' })
  number!: number;

  /** Its id. */
  @Column('text')
  item!: string;

  @Column('text', { nullable: true })
  outcome!: ItemOutcome | null;

  /** Real time. */
  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt!: Date | null;
}
