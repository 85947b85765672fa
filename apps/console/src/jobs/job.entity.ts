import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** `running`: items are handled one after another; `paused`: they wait for a person; `ended`: every item has an outcome. */
export type JobState = 'running' | 'paused' | 'ended';

/** An action on many things. */
@Entity('job')
@Check('job_state_check', "state IN ('running', 'paused', 'ended')")
export class JobEntity {
  /** The id of its action. */
  @PrimaryColumn('uuid', { name: 'job_id', primaryKeyConstraintName: 'job_pkey' })
  jobId!: string;

  @Column('text')
  act!: string;

  /** As in its action. */
  @Column('text')
  target!: string;

  @Column('text', { default: 'running' })
  state!: JobState;

  /** Real time. */
  @Column('timestamptz', { name: 'began_at', default: () => 'now()' })
  beganAt!: Date;

  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt!: Date | null;
}
